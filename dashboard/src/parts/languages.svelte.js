// The languages of this server, asked for once, and a first program in each.

import { api } from '../api/client.js';
import { items } from '../api/runs.js';

export const languages = $state({ list: [], error: null });

/** Asks for them unless they are there. */
export async function loadLanguages() {
  if (languages.list.length > 0) return;
  try {
    languages.list = items(await api.languages());
    languages.error = null;
  } catch (error) {
    languages.error = error;
  }
}

/** Whether its tools are on the server's host. */
export const available = (language) => language.availability === 'available' || language.availability?.available !== undefined;

export const SAMPLES = {
  python: 'import sys\n\nname = sys.stdin.readline().strip() or "world"\nprint(f"Hello, {name}")\n',
  javascript: "const name = require('fs').readFileSync(0, 'utf8').trim() || 'world';\nconsole.log(`Hello, ${name}`);\n",
  typescript: 'const greet = (name: string): string => `Hello, ${name}`;\nconsole.log(greet("world"));\n',
  java: 'public class Main {\n    public static void main(String[] args) {\n        System.out.println("Hello, world");\n    }\n}\n',
  c: '#include <stdio.h>\n\nint main(void) {\n    puts("Hello, world");\n    return 0;\n}\n',
  cpp: '#include <iostream>\n\nint main() {\n    std::cout << "Hello, world\\n";\n}\n',
  go: 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("Hello, world")\n}\n',
  rust: 'fn main() {\n    println!("Hello, world");\n}\n',
  bash: 'read -r name\necho "Hello, ${name:-world}"\n',
};
