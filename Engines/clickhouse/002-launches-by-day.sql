-- Needs ClickHouse 24.10 or later.
ALTER TABLE launches ADD COLUMN IF NOT EXISTS loaded DateTime DEFAULT now();

-- States that add up over days, machines and shards: for dashboards. Read it with FINAL. Of two rows of a day, the one of more
-- launches counts: after a late record of a day that `launches` no longer has, the earlier row stays.
CREATE TABLE IF NOT EXISTS launches_by_day
(
  day Date,
  program LowCardinality(String),
  version LowCardinality(String),
  machine LowCardinality(String),
  kind LowCardinality(String),
  metric LowCardinality(String),
  launches AggregateFunction(sum, UInt64),
  times AggregateFunction(quantilesTDigestWeighted(0.5, 0.9, 0.99), Int64, UInt64),
  computed DateTime,
  counted UInt64
)
ENGINE = ReplacingMergeTree(counted)
PARTITION BY toYYYYMM(day)
ORDER BY (program, metric, version, machine, kind, day);

-- A launch counts once, however often it is loaded: the days of new records are computed again, out of launches.
CREATE MATERIALIZED VIEW IF NOT EXISTS launches_to_days REFRESH EVERY 10 MINUTE APPEND TO launches_by_day AS
SELECT
  toDate(time, 'UTC') AS day, program, version, machine, kind, pair.1 AS metric,
  sumState(weight) AS launches, quantilesTDigestWeightedState(0.5, 0.9, 0.99)(pair.2, weight) AS times, now() AS computed,
  sum(weight) AS counted
FROM
(
  SELECT time, program, version, machine, kind, toUInt64(sample) AS weight,
    arrayJoin(arrayConcat([('total', assumeNotNull(total))],
      arrayMap((k, v) -> (k, v), mapKeys(metrics), mapValues(metrics)))) AS pair
  FROM launches FINAL
  WHERE isNotNull(total) AND toDate(time, 'UTC') IN
  (
    -- A minute more than since the last time: what was being loaded then.
    SELECT DISTINCT toDate(time, 'UTC') FROM launches WHERE loaded + 60 >= (SELECT max(computed) FROM launches_by_day)
  )
)
GROUP BY day, program, version, machine, kind, metric;

-- Of earlier versions of these files. The table launches_daily, which it filled, keeps days that launches may no longer have.
DROP TABLE IF EXISTS launches_to_daily;
