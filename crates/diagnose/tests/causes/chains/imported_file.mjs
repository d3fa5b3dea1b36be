// origin: data.mjs:3 | undefined
import { lookup } from "./data.mjs";

console.log(lookup("b").name);
// file: data.mjs
const table = { a: { name: "x" } };
export function lookup(key) {
  if (key !== "a") return undefined;
  return table[key];
}
