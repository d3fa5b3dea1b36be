// origin: 6 | undefined
import { EOL } from "node:os";

function settings() {
  return {
    color: undefined,
  };
}

const { color } = settings();
console.log(color.trim() + EOL);
