// SPDX-License-Identifier: Apache-2.0
// tables-duckdb.js MODULES FILE [QUERY]: DuckDB's program for tests, on the engine that npm
// has: runs the statements on standard input, or prints the rows of QUERY as text with tabs.
const { DuckDBInstance } = require(process.argv[2] + "/@duckdb/node-api");
const fs = require("fs");

function text(value) {
  const escapes = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
  return value === null ? "\\N" : String(value).replace(/[\\\t\n\r]/g, (c) => escapes[c]);
}

async function main(file, query) {
  const connection = await (await DuckDBInstance.create(file)).connect();
  if (query === undefined) {
    await connection.run(fs.readFileSync(0, "utf8"));
    return;
  }
  const rows = (await connection.runAndReadAll(query)).getRowsJson();
  process.stdout.write(rows.map((row) => row.map(text).join("\t") + "\n").join(""));
}

main(process.argv[3], process.argv[4]).catch((error) => {
  console.error(String(error));
  process.exit(1);
});
