//! Programs of every language, one for each way to end: the same for the recipes' own tests and for comparing providers.

/// One language's programs.
#[derive(Debug, Clone, Copy)]
pub struct Programs {
    /// Its name.
    pub language: &'static str,
    /// Prints `Hello, wörld`.
    pub print: &'static str,
    /// Copies its input.
    pub echo: &'static str,
    /// Is no program.
    pub broken: &'static str,
    /// Whether there is a compile step that `broken` does not pass.
    pub compiles: bool,
    /// Ends with code 3.
    pub exit_3: &'static str,
    /// Ends by a signal.
    pub crash: &'static str,
    /// Never ends.
    pub forever: &'static str,
    /// Takes memory without end.
    pub hungry: &'static str,
}

/// Programs of this language.
pub const PYTHON: Programs = Programs {
    language: "python",
    print: "print('Hello, wörld')",
    echo: "import sys\nsys.stdout.buffer.write(sys.stdin.buffer.read())",
    broken: "def f(:\n",
    compiles: false,
    exit_3: "import sys\nsys.exit(3)",
    crash: "import os\nos.abort()",
    forever: "import time\nwhile True: time.sleep(1)",
    hungry: "x = []\nwhile True: x.append(bytearray(1 << 20))",
};

/// Programs of this language.
pub const JAVASCRIPT: Programs = Programs {
    language: "javascript",
    print: "console.log('Hello, wörld')",
    echo: "process.stdin.pipe(process.stdout)",
    broken: "function (",
    compiles: false,
    exit_3: "process.exit(3)",
    crash: "process.abort()",
    forever: "setInterval(() => {}, 1000)",
    hungry: "const x = []; for (;;) x.push(new Array(100000).fill(Math.random()))",
};

/// Programs of this language.
pub const TYPESCRIPT: Programs = Programs {
    language: "typescript",
    print: "enum E { A = 'Hello' }\nconst s: string = E.A;\nconsole.log(`${s}, wörld`);",
    echo: "import * as process from 'node:process';\nconst s: any = process.stdin;\ns.pipe(process.stdout);",
    broken: "const x: = 3;",
    compiles: true,
    exit_3: "process.exit(3 as number)",
    crash: "process.abort()",
    forever: "setInterval((): void => {}, 1000)",
    hungry: "const x: any[] = []; for (;;) x.push(new Array(100000).fill(Math.random()))",
};

/// Programs of this language.
pub const JAVA: Programs = Programs {
    language: "java",
    print: "public class Greeting { public static void main(String[] a) { System.out.println(\"Hello, wörld\"); } }",
    echo: "class E { public static void main(String[] a) throws Exception { System.in.transferTo(System.out); System.out.flush(); } }",
    broken: "class A { int f() { return \"x\"; } }",
    compiles: true,
    exit_3: "class A { public static void main(String[] a) { System.exit(3); } }",
    crash: "class A { public static void main(String[] a) throws Exception { new ProcessBuilder(\"/bin/kill\", \"-ABRT\", \"\" + ProcessHandle.current().pid()).start().waitFor(); Thread.sleep(9000); } }",
    forever: "class A { public static void main(String[] a) throws Exception { Thread.sleep(1000000); } }",
    hungry: "import java.util.*;\nclass A { public static void main(String[] a) { List<byte[]> x = new ArrayList<>(); while (true) x.add(new byte[1 << 20]); } }",
};

/// Programs of this language.
pub const C: Programs = Programs {
    language: "c",
    print: "#include <stdio.h>\nint main(void) { puts(\"Hello, wörld\"); }",
    echo: "#include <stdio.h>\nint main(void) { int c; while ((c = getchar()) != EOF) putchar(c); }",
    broken: "int main(void) { return x; }",
    compiles: true,
    exit_3: "int main(void) { return 3; }",
    crash: "#include <stdlib.h>\nint main(void) { abort(); }",
    forever: "#include <unistd.h>\nint main(void) { for (;;) sleep(1); }",
    hungry: "#include <stdlib.h>\n#include <string.h>\nint main(void) { for (;;) { char *p = malloc(1 << 20); if (p) memset(p, 1, 1 << 20); __asm__ volatile(\"\" :: \"r\"(p) : \"memory\"); } }",
};

/// Programs of this language.
pub const CPP: Programs = Programs {
    language: "c++",
    print: "#include <iostream>\nint main() { std::cout << \"Hello, wörld\" << std::endl; }",
    echo: "#include <iostream>\nint main() { std::cout << std::cin.rdbuf(); }",
    broken: "int main() { std::string s; }",
    compiles: true,
    exit_3: "int main() { return 3; }",
    crash: "#include <stdexcept>\nint main() { throw std::runtime_error(\"x\"); }",
    forever: "#include <unistd.h>\nint main() { for (;;) sleep(1); }",
    hungry: "#include <vector>\n#include <string>\nint main() { std::vector<std::string> x; for (;;) x.emplace_back(1 << 20, 'x'); }",
};

/// Programs of this language.
pub const GO: Programs = Programs {
    language: "go",
    print: "package main\nimport \"fmt\"\nfunc main() { fmt.Println(\"Hello, wörld\") }",
    echo: "package main\nimport (\n\"io\"\n\"os\"\n)\nfunc main() { io.Copy(os.Stdout, os.Stdin) }",
    broken: "package main\nfunc main() { x := 1 }",
    compiles: true,
    exit_3: "package main\nimport \"os\"\nfunc main() { os.Exit(3) }",
    crash: "package main\nimport (\n\"os\"\n\"syscall\"\n\"time\"\n)\nfunc main() { syscall.Kill(os.Getpid(), syscall.SIGKILL); time.Sleep(time.Hour) }",
    forever: "package main\nimport \"time\"\nfunc main() { time.Sleep(time.Hour) }",
    hungry: "package main\nvar x [][]byte\nfunc main() { for { b := make([]byte, 1<<20); for i := range b { b[i] = 1 }; x = append(x, b) } }",
};

/// Programs of this language.
pub const RUST: Programs = Programs {
    language: "rust",
    print: "fn main() { println!(\"Hello, wörld\"); }",
    echo: "use std::io;\nfn main() { io::copy(&mut io::stdin(), &mut io::stdout()).unwrap(); }",
    broken: "fn main() { let x: i32 = \"a\"; }",
    compiles: true,
    exit_3: "fn main() { std::process::exit(3) }",
    crash: "fn main() { std::process::abort() }",
    forever: "fn main() { loop { std::thread::sleep(std::time::Duration::from_secs(1)) } }",
    hungry: "fn main() { let mut x = vec![]; loop { x.push(vec![1u8; 1 << 20]); } }",
};

/// Programs of this language.
pub const BASH: Programs = Programs {
    language: "bash",
    print: "echo 'Hello, wörld'",
    echo: "cat",
    broken: "if then",
    compiles: false,
    exit_3: "exit 3",
    crash: "kill -ABRT $$",
    forever: "while :; do sleep 1; done",
    hungry: "x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done",
};

/// Every language's.
pub const ALL: [Programs; 9] = [PYTHON, JAVASCRIPT, TYPESCRIPT, JAVA, C, CPP, GO, RUST, BASH];

/// A program that reads its standard input and has an argument.
pub struct Reading {
    /// The language's identifier.
    pub language: &'static str,
    /// The program.
    pub code: &'static str,
}

/// The same in every language: reads numbers, one on each line, and prints their sum and the first argument.
pub const READING: &[Reading] = &[
    Reading {
        language: "python",
        code: "import sys\nprint(sum(int(line) for line in sys.stdin), sys.argv[1])\n",
    },
    Reading {
        language: "javascript",
        code: "const numbers = require('fs').readFileSync(0, 'utf8').trim().split('\\n').map(Number);\n\
               console.log(numbers.reduce((a, b) => a + b, 0), process.argv[2]);\n",
    },
    Reading {
        language: "typescript",
        code: "import { readFileSync } from 'fs';\nconst text: string = readFileSync(0, 'utf8');\n\
               const numbers: number[] = text.trim().split('\\n').map(Number);\n\
               console.log(numbers.reduce((a: number, b: number) => a + b, 0), process.argv[2]);\n",
    },
    Reading {
        language: "java",
        code: "import java.util.Scanner;\npublic class Main {\n  public static void main(String[] args) {\n\
               \u{20}   Scanner in = new Scanner(System.in);\n    int sum = 0;\n\
               \u{20}   while (in.hasNextInt()) sum += in.nextInt();\n\
               \u{20}   System.out.println(sum + \" \" + args[0]);\n  }\n}\n",
    },
    Reading {
        language: "c",
        code: "#include <stdio.h>\nint main(int argc, char **argv) {\n  int sum = 0, n;\n\
               \u{20} while (scanf(\"%d\", &n) == 1) sum += n;\n  printf(\"%d %s\\n\", sum, argv[1]);\n  return 0;\n}\n",
    },
    Reading {
        language: "cpp",
        code: "#include <iostream>\nint main(int argc, char **argv) {\n  int sum = 0, n;\n\
               \u{20} while (std::cin >> n) sum += n;\n  std::cout << sum << ' ' << argv[1] << '\\n';\n}\n",
    },
    Reading {
        language: "go",
        code: "package main\nimport (\n\t\"bufio\"\n\t\"fmt\"\n\t\"os\"\n)\nfunc main() {\n\tin := bufio.NewReader(os.Stdin)\n\
               \tsum, n := 0, 0\n\tfor {\n\t\tif _, err := fmt.Fscan(in, &n); err != nil {\n\t\t\tbreak\n\t\t}\n\t\tsum += n\n\t}\n\
               \tfmt.Println(sum, os.Args[1])\n}\n",
    },
    Reading {
        language: "rust",
        code: "use std::io::Read;\nfn main() {\n    let mut text = String::new();\n\
               \u{20}   std::io::stdin().read_to_string(&mut text).unwrap();\n\
               \u{20}   let sum: i64 = text.split_whitespace().map(|n| n.parse::<i64>().unwrap()).sum();\n\
               \u{20}   println!(\"{} {}\", sum, std::env::args().nth(1).unwrap());\n}\n",
    },
    Reading {
        language: "bash",
        code: "sum=0\nwhile read -r n; do sum=$((sum + n)); done\necho \"$sum $1\"\n",
    },
];

/// What a [`READING`] program is given, and what it prints then.
pub const READING_STDIN: &str = "19\n23\n";
/// Its argument.
pub const READING_ARGUMENT: &str = "with space";
/// What it prints.
pub const READING_PRINTS: &str = "42 with space\n";
