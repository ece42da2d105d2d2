# SPDX-License-Identifier: Apache-2.0
"""Reference values for LaunchAnalysis/Statistics, from scipy.

Each line of standard input is a JSON array of cases, {"kind": …, "values": [[…], …], "parameters": […]}. Its answer is a
line with an array of arrays of numbers. Nothing here shares code with what it checks: intervals are found by trying shifts
in scipy's tests, boundaries by scipy's multivariate normal distribution, energies by their definition.
"""

import bisect
import json
import sys

import numpy as np
from scipy import stats


def signed_rank(values, _):
    d = np.array(values[0])
    exact = [stats.wilcoxon(d, alternative=side, method="exact").pvalue for side in ("greater", "less")]
    normal = [
        stats.wilcoxon(d, alternative=side, method="asymptotic", correction=True).pvalue for side in ("greater", "less")
    ]
    return [stats.wilcoxon(d, alternative="greater").statistic, *exact, *normal]


def signed_rank_ties(values, _):
    d = np.array(values[0])
    every = stats.PermutationMethod(n_resamples=np.inf)
    exact = [
        stats.wilcoxon(d[d != 0], alternative=side, method=every).pvalue for side in ("greater", "less")
    ]
    normal = [
        stats.wilcoxon(d, alternative=side, method="asymptotic", correction=True).pvalue for side in ("greater", "less")
    ]
    return [stats.wilcoxon(d, alternative="greater", method="asymptotic").statistic, *exact, *normal]


def inverted(candidates, tail, rejects_above, rejects_below):
    """The least and the greatest candidate that the tests do not reject, tried a hair inside of each. The probabilities grow
    towards the middle."""
    c = np.unique(candidates)
    gap = np.min(np.diff(c)) / 4
    low = c[bisect.bisect_left(c, True, key=lambda x: rejects_above(x + gap) > tail)]
    high = c[::-1][bisect.bisect_left(c[::-1], True, key=lambda x: rejects_below(x - gap) > tail)]
    return [float(np.median(candidates)), float(low), float(high)]


def paired_interval(values, parameters):
    d = np.array(values[0])
    i, j = np.triu_indices(len(d))
    method = "exact" if len(d) <= 50 else "asymptotic"

    def p(shift, side):
        return stats.wilcoxon(d - shift, alternative=side, method=method, correction=True).pvalue

    return inverted((d[i] + d[j]) / 2, parameters[0], lambda x: p(x, "greater"), lambda x: p(x, "less"))


def bounded_scores(d):
    """Ranks of the magnitudes, up to a third of their number."""
    return np.minimum(stats.rankdata(np.abs(d), axis=-1), -(-d.shape[-1] // 3))


def bounded_statistic(d, axis=-1):
    return np.sum(np.where(d > 0, bounded_scores(d), 0), axis=axis)


def bounded_pvalues(d, resamples=np.inf):
    """Of all changes of signs, or of some drawn at random."""
    return [
        stats.permutation_test(
            (d,), bounded_statistic, permutation_type="samples", alternative=side, n_resamples=resamples,
            vectorized=True, batch=4096, rng=np.random.default_rng(1),
        ).pvalue
        for side in ("greater", "less")
    ]


def bounded_signed_rank(values, _):
    d = np.array(values[0])
    d = d[d != 0]
    return [bounded_statistic(d), *bounded_pvalues(d)]


def bounded_signed_rank_drawn(values, _):
    d = np.array(values[0])
    return [bounded_statistic(d), *bounded_pvalues(d, 20_000)]


def bounded_interval(values, parameters):
    d = np.array(values[0])
    i, j = np.triu_indices(len(d))
    candidates = np.unique((d[i] + d[j]) / 2)
    gap = np.min(np.diff(candidates)) / 4
    below = np.array([bounded_statistic(x + gap - d) for x in candidates])
    total = bounded_scores(d).sum()
    middle = [candidates[np.argmax(below >= k)] for k in ((total + 1) // 2, total // 2 + 1)]
    bounds = inverted(
        candidates, parameters[0], lambda x: bounded_pvalues(d - x)[0], lambda x: bounded_pvalues(d - x)[1]
    )[1:]
    return [float(np.mean(middle)), *bounds]


def rank_sum(values, _):
    x, y = map(np.array, values)
    exact = [stats.mannwhitneyu(x, y, alternative=side, method="exact").pvalue for side in ("greater", "less")]
    normal = [stats.mannwhitneyu(x, y, alternative=side, method="asymptotic").pvalue for side in ("greater", "less")]
    return [stats.mannwhitneyu(x, y).statistic, *exact, *normal]


def rank_sum_ties(values, _):
    x, y = map(np.array, values)
    normal = [stats.mannwhitneyu(x, y, alternative=side, method="asymptotic").pvalue for side in ("greater", "less")]
    return [stats.mannwhitneyu(x, y).statistic, *normal]


def unpaired_interval(values, parameters):
    base, head = map(np.array, values)
    method = "exact" if len(base) + len(head) <= 50 else "asymptotic"

    def p(shift, side):
        return stats.mannwhitneyu(head - shift, base, alternative=side, method=method).pvalue

    differences = np.subtract.outer(head, base).ravel()
    return inverted(differences, parameters[0], lambda x: p(x, "greater"), lambda x: p(x, "less"))


def quantile_interval(values, parameters):
    fraction, tail = parameters
    x = np.array(values[0])
    interval = stats.quantile_test(x, p=fraction).confidence_interval(confidence_level=1 - 2 * tail)
    bounds = [float(b) if np.isfinite(b) else side for b, side in zip(interval, (-1e308, 1e308))]
    return [float(np.quantile(x, fraction)), *bounds]


def normal(values, _):
    return [*stats.norm.sf(values[0]), *stats.norm.isf(values[1])]


def crossing(values, parameters):
    """By look, the probability to have crossed until then, for boundaries given as tails."""
    looks, tails = map(np.array, values)
    bounds = stats.norm.isf(tails)
    correlation = np.sqrt(np.minimum.outer(looks, looks) / np.maximum.outer(looks, looks))
    result = [float(tails[0])]
    for k in range(2, len(looks) + 1):
        inside = stats.multivariate_normal.cdf(
            bounds[:k], mean=np.zeros(k), cov=correlation[:k, :k], abseps=1e-6, releps=1e-6, maxpts=1_000_000,
            rng=np.random.default_rng(k),
        )
        result.append(1 - float(inside))
    return result


def hodges_lehmann(head, base):
    return np.median(np.subtract.outer(head, base))


def bootstrap(values, parameters):
    base, head = map(np.array, values)
    interval = stats.bootstrap(
        (head, base), hodges_lehmann, method="BCa", confidence_level=1 - 2 * parameters[0], n_resamples=9999,
        vectorized=False, rng=np.random.default_rng(1),
    ).confidence_interval
    return [hodges_lehmann(head, base), *map(float, interval)]


def step(samples, parameters):
    """The evidence of a step, its most probable place, and how probable that is: StepLikelihood."""
    medians = np.array([np.median(x) for x in samples])
    deviations = [np.abs(np.array(x) - m) for x, m in zip(samples, medians)]
    common = 1.4826 * np.median(np.concatenate(deviations))
    counts = np.array([len(x) for x in samples])
    own = np.array([1.4826 * np.median(x) for x in deviations])
    errors = np.sqrt((own**2 * counts + 10 * common**2) / (counts + 10) * np.pi / 2 / counts)
    levels = np.linspace(medians.min() - 0.05, medians.max() + 0.05, 161)
    width = levels[1] - levels[0]
    none, steps = [], []
    spreads = 0.002 * 1.53 ** np.arange(14)
    weights = stats.t.pdf(np.log(spreads / max(0.5 * common, 0.005)) / 0.8, 3)
    for spread, weight in zip(spreads, weights / weights.sum()):
        scale = np.hypot(errors, spread)[:, None]
        density = stats.t.pdf((medians[:, None] - levels) / scale, 10) / scale
        none.append(weight * np.prod(density, axis=0).sum() * width)
        steps.append(
            [
                weight * np.prod(density[:k], axis=0).sum() * np.prod(density[k:], axis=0).sum() * width**2 / 0.7
                for k in range(1, len(samples))
            ]
        )
    steps = np.sum(steps, axis=0)
    evidence = np.log(steps[2:-2].sum() / len(steps) / np.sum(none))
    return [evidence, int(np.argmax(steps)) + 1, steps.max() / steps.sum()]


def student(values, parameters):
    (freedom,) = parameters
    return [*stats.t.sf(values[0], freedom), *stats.t.isf(values[1], freedom)]


kinds = {
    f.__name__: f
    for f in (
        signed_rank, signed_rank_ties, paired_interval, bounded_signed_rank, bounded_signed_rank_drawn,
        bounded_interval, rank_sum, rank_sum_ties, unpaired_interval, quantile_interval,
        normal, student, crossing, bootstrap, step,
    )
}
for line in sys.stdin:
    print(json.dumps([[float(x) for x in kinds[c["kind"]](c["values"], c["parameters"])] for c in json.loads(line)]), flush=True)
