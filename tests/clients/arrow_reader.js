// arrow_reader.js FILE: reads an Arrow stream or file with npm's apache-arrow and prints the number of
// rows, the characters of all tokens, and the sums of all numbers in each other column of lists.
const fs = require("fs");
const { tableFromIPC } = require("apache-arrow");

const half = (bits) => {
  const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -24 * fraction);
};

const table = tableFromIPC(fs.readFileSync(process.argv[2]));
console.log(table.numRows);
for (const field of table.schema.fields.slice(3)) {
  let sum = 0;
  for (const row of table.getChild(field.name)) {
    for (const item of row) {
      if (typeof item === "string") {
        sum += [...item].length;
        continue;
      }
      const isHalf = item.type.precision === 0; // given as bits
      for (const number of item.toArray()) sum += isHalf ? half(number) : Number(number);
    }
  }
  console.log(sum);
}
