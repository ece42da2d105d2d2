-- Launch records in ClickHouse. Load lines as they are: INSERT INTO records FORMAT LineAsString

CREATE TABLE IF NOT EXISTS launches
(
  id FixedString(32),
  time DateTime64(3, 'UTC'),
  program LowCardinality(String),
  version LowCardinality(String),
  build LowCardinality(String),
  os LowCardinality(String),
  osVersion LowCardinality(String),
  arch LowCardinality(String),
  cpu LowCardinality(String),
  cores LowCardinality(String),
  memoryMiB LowCardinality(String),
  machine LowCardinality(String),
  kind LowCardinality(String),
  reason LowCardinality(String),
  context LowCardinality(String),
  outcome LowCardinality(String),
  `end` LowCardinality(String),
  total Nullable(Int64),
  withinBudget Nullable(UInt8),
  sample UInt32,
  metrics Map(LowCardinality(String), Int64),
  labels Map(LowCardinality(String), String),
  -- Of two records of one launch, the one that has it completed counts, as FleetTableBuilder has it.
  isCompleted UInt8 MATERIALIZED outcome = 'completed'
)
ENGINE = ReplacingMergeTree(isCompleted)
PARTITION BY toYYYYMM(time)
ORDER BY (program, version, machine, kind, id);

-- Nothing stays here: the view below takes each line apart.
CREATE TABLE IF NOT EXISTS records (line String) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS records_to_launches TO launches AS
WITH
  JSONExtract(line, 'Tuple(record UInt8, sample UInt32, cores UInt32, memoryMiB UInt32, withinBudget Nullable(Bool), `id` String, `time` String, `program` String, `version` String, `build` String, `os` String, `osVersion` String, `arch` String, `cpu` String, `machine` String, `kind` String, `reason` String, `context` String, `outcome` String, `end` String)') AS r,
  arrayFilter(x -> match(x.1, '^(phase|milestone|state|over|count)[.]|^(total|cpuTime|recorder|budget)$') AND x.2 != 'null', JSONExtractKeysAndValuesRaw(line)) AS measured,
  -- Whole numbers up to a day, and a total of at least 1 ns, as FleetTableBuilder has it.
  arrayFilter(x -> x.2 BETWEEN if(x.1 = 'total', 1, 0) AND 86400000000000,
    arrayMap(x -> (x.1, toInt64(x.2)), arrayFilter(x -> match(x.2, '^[0-9]{1,15}$'), measured))) AS possible,
  arrayFilter(x -> x.1 != 'total', possible) AS numbers,
  -- All other keys are columns of fleets, but not when phases began, and not what is nested.
  arrayFilter(x -> NOT match(x.1, '^(record|id|time|program|version|build|os|osVersion|arch|cpu|cores|memoryMiB|machine|kind|reason|context|outcome|end|total|budget|withinBudget|cpuTime|recorder|sample)$|^(at|phase|milestone|state|over|count)[.]')
    AND NOT match(x.2, '^[[{n]'), JSONExtractKeysAndValuesRaw(line)) AS others,
  arrayMap(x -> (x.1, JSONExtract(x.2, 'String')), others) AS texts
SELECT
  r.id AS id, parseDateTime64BestEffortOrZero(r.time, 3, 'UTC') AS time, r.program AS program, r.version AS version, r.build AS build,
  r.os AS os, r.osVersion AS osVersion, r.arch AS arch, r.cpu AS cpu,
  if(r.cores = 0, '', toString(r.cores)) AS cores, if(r.memoryMiB = 0, '', toString(r.memoryMiB)) AS memoryMiB,
  r.machine AS machine, r.kind AS kind, r.reason AS reason, r.context AS context, r.outcome AS outcome, r.`end` AS `end`,
  nullIf(arrayFirst(x -> x.1 = 'total', possible).2, 0) AS total, r.withinBudget AS withinBudget, greatest(1, r.sample) AS sample,
  mapFromArrays(numbers.1, numbers.2) AS metrics, mapFromArrays(texts.1, texts.2) AS labels
FROM records
-- A launch whose total or phase is impossible does not count. Of other metrics, only the value does not.
WHERE r.record = 1 AND match(r.id, '^[0-9a-f]{32}$')
  AND arrayCount(x -> x.1 = 'total' OR startsWith(x.1, 'phase.'), measured)
    = arrayCount(x -> x.1 = 'total' OR startsWith(x.1, 'phase.'), possible);
