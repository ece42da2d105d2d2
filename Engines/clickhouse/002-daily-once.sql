-- launches_daily counts a launch once, however often it is loaded: the days of new records are computed again, out of launches.
DROP TABLE IF EXISTS launches_to_daily;
DROP TABLE IF EXISTS launches_daily;

ALTER TABLE launches ADD COLUMN IF NOT EXISTS loaded DateTime DEFAULT now();

-- States that add up over days, machines and shards: for dashboards. Read it with FINAL.
CREATE TABLE IF NOT EXISTS launches_daily
(
  day Date,
  program LowCardinality(String),
  version LowCardinality(String),
  machine LowCardinality(String),
  kind LowCardinality(String),
  metric LowCardinality(String),
  launches AggregateFunction(sum, UInt64),
  times AggregateFunction(quantilesTDigestWeighted(0.5, 0.9, 0.99), Int64, UInt64),
  computed DateTime
)
ENGINE = ReplacingMergeTree(computed)
PARTITION BY toYYYYMM(day)
ORDER BY (program, metric, version, machine, kind, day);

CREATE MATERIALIZED VIEW IF NOT EXISTS launches_to_daily REFRESH EVERY 10 MINUTE APPEND TO launches_daily AS
SELECT
  toDate(time, 'UTC') AS day, program, version, machine, kind, pair.1 AS metric,
  sumState(weight) AS launches, quantilesTDigestWeightedState(0.5, 0.9, 0.99)(pair.2, weight) AS times, now() AS computed
FROM
(
  SELECT time, program, version, machine, kind, toUInt64(sample) AS weight,
    arrayJoin(arrayConcat([('total', assumeNotNull(total))],
      arrayMap((k, v) -> (k, v), mapKeys(metrics), mapValues(metrics)))) AS pair
  FROM launches FINAL
  WHERE isNotNull(total) AND toDate(time, 'UTC') IN
  (
    -- A minute more than since the last time: what was being loaded then.
    SELECT DISTINCT toDate(time, 'UTC') FROM launches WHERE loaded + 60 >= (SELECT max(computed) FROM launches_daily)
  )
)
GROUP BY day, program, version, machine, kind, metric;
