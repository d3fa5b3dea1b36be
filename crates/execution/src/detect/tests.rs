//! Snippets as people paste them, each with the language that must be recognised.

use super::*;

fn registry() -> Registry {
    Registry::new(&[]).unwrap()
}

#[rustfmt::skip]
const SNIPPETS: &[(&str, &str)] = &[
    ("javascript", "const config = { port: 80, name: 'x' };\nconsole.log(config.port ? 1 : 2);"),
    ("javascript", "let o = { kind: type };\nfor (const k of Object.keys(o)) console.log(k);"),
    ("rust", "const MAX: usize = 3;\nfn longest<'a>(a: &'a str, b: &'a str) -> &'a str { if a.len() > b.len() { a } else { b } }"),
    ("python", r#"print('Hello')"#),
    ("python", r#"import sys
print(sys.version)"#),
    ("python", r#"def f(x):
    return x + 1

print(f(2))"#),
    ("python", r#"from collections import deque
q = deque()
q.append(1)"#),
    ("python", r#"for i in range(10):
    print(i)"#),
    ("python", r#"class A:
    def __init__(self):
        self.x = None"#),
    ("python", r#"n = int(input())
print(n * 2)"#),
    ("python", r#"with open('f') as f:
    for line in f:
        print(line, end='')"#),
    ("python", r#"try:
    1/0
except ZeroDivisionError as e:
    print(e)"#),
    ("python", r#"code = """
#include <stdio.h>
int main() { printf("hi"); }
"""
print(code)"#),
    ("python", r#"import asyncio
async def main():
    await asyncio.sleep(0)
asyncio.run(main())"#),
    ("python", r#"x = [i for i in range(5) if i % 2]
print(x)"#),
    ("python", r#"@decorator
def f(): pass
if __name__ == '__main__':
    f()"#),
    ("python", r#"import numpy as np
a = np.zeros(3)
print(a.sum())"#),
    ("python", r#"while True: pass
print('x')"#),
    ("javascript", r#"console.log('hi')"#),
    ("javascript", r#"const fs = require('fs');
console.log(fs.readFileSync(0, 'utf8'));"#),
    ("javascript", r#"let x = 1;
var y = 2;
function add(a, b) { return a + b; }
console.log(add(x, y));"#),
    ("javascript", r#"import { readFile } from 'fs/promises';
const text = await readFile('x');"#),
    ("javascript", r#"[1, 2].forEach(x => { process.stdout.write(String(x)); });"#),
    ("javascript", r#"module.exports = { a: 1 };"#),
    ("javascript", r#"async function main() {
  const r = await new Promise(res => setTimeout(res, 1));
}
main();"#),
    ("javascript", r#"class A {
  constructor() { this.x = 1; }
  get() { return this.x; }
}
console.log(new A().get());"#),
    ("javascript", r#"const s = `total: ${a}`;
if (a === undefined) throw new Error(s);
console.error(s)"#),
    ("typescript", r#"const x: number = 1;
console.log(x);"#),
    ("typescript", r#"interface User {
  name: string;
  age?: number;
}
const u: User = { name: 'a' };
console.log(u);"#),
    ("typescript", r#"type Id = string | number;
function f(id: Id): string { return String(id); }
console.log(f(1));"#),
    ("typescript", r#"enum Color { Red, Green }
let c: Color = Color.Red;
console.log(c as number);"#),
    ("typescript", r#"export class Stack<T> {
  private items: T[] = [];
  push(item: T): void { this.items.push(item); }
}"#),
    ("typescript", r#"import type { A } from './a';
export const f = (a: A): boolean => true;"#),
    ("typescript", r#"function id<T>(x: T): T { return x; }
const m = new Map<string, number>();
console.log(id(m));"#),
    ("typescript", r#"async function load(): Promise<void> {
  const data: any = await fetch('x');
}"#),
    ("java", r#"public class Main {
  public static void main(String[] args) {
    System.out.println("hi");
  }
}"#),
    ("java", r#"import java.util.*;

class Foo {
  private int x;
  public int getX() { return x; }
}"#),
    ("java", r#"package a.b;

import java.util.List;

public interface Shape {
  double area();
}"#),
    ("java", r#"class Solution {
    public int[] twoSum(int[] nums, int target) {
        Map<Integer, Integer> m = new HashMap<>();
        return null;
    }
}"#),
    ("java", r#"record Point(int x, int y) {}
class T { public static void main(String... a) { System.out.printf("%s", new Point(1, 2)); } }"#),
    ("c", r#"#include <stdio.h>
int main(void) {
  printf("hi\n");
  return 0;
}"#),
    ("c", r#"#include <stdlib.h>
#include <string.h>
char *dup(const char *s) {
  char *p = malloc(strlen(s) + 1);
  return strcpy(p, s);
}"#),
    ("c", r#"int main() { int x = 5; puts("x"); return x; }"#),
    ("c", r#"typedef struct node {
  int value;
  struct node *next;
} node;

void push(node **head, int v) {
  node *n = malloc(sizeof(node));
}"#),
    ("c", r#"#define N 10
#include <pthread.h>
static int counter;
int main(int argc, char **argv) { return 0; }"#),
    ("cpp", r#"#include <iostream>
int main() {
  std::cout << "hi" << std::endl;
}"#),
    ("cpp", r#"#include <vector>
using namespace std;
int main() { vector<int> v{1,2}; for (auto x : v) cout << x; }"#),
    ("cpp", r#"#include <cstdio>
int main() { printf("%d", 1); return 0; }"#),
    ("cpp", r#"template <typename T>
T max(T a, T b) { return a > b ? a : b; }
int main() { return max(1, 2); }"#),
    ("cpp", r#"#include <memory>
class A {
public:
  virtual ~A() = default;
};
int main() { auto p = std::make_unique<A>(); }"#),
    ("cpp", r#"#include <bits/stdc++.h>
int main(){int n;std::cin>>n;}"#),
    ("go", r#"package main

import "fmt"

func main() {
	fmt.Println("hi")
}"#),
    ("go", r#"package main

import (
	"os"
	"bufio"
)

func main() {
	r := bufio.NewReader(os.Stdin)
	_ = r
}"#),
    ("go", r#"func add(a, b int) int {
	return a + b
}

type Point struct {
	X, Y int
}"#),
    ("go", r#"ch := make(chan int)
go func() { ch <- 1 }()
if err != nil {
	return err
}"#),
    ("rust", r#"fn main() {
    println!("hi");
}"#),
    ("rust", r#"use std::collections::HashMap;

fn main() {
    let mut m: HashMap<String, i32> = HashMap::new();
    m.insert("a".to_string(), 1);
}"#),
    ("rust", r#"#[derive(Debug, Clone)]
struct P { x: i32 }
impl P {
    fn new(x: i32) -> Self { P { x } }
}"#),
    ("rust", r#"pub fn add(a: u32, b: u32) -> u32 {
    a + b
}"#),
    ("rust", r#"fn main() {
    let v = vec![1, 2, 3];
    let s: i32 = v.iter().sum();
    match s { 6 => println!("six"), _ => {} }
}"#),
    ("rust", r#"use std::io::{self, Read};
fn main() -> io::Result<()> {
    let mut s = String::new();
    io::stdin().read_to_string(&mut s)?;
    Ok(())
}"#),
    ("bash", r#"echo hello"#),
    ("bash", r#"set -euo pipefail
for f in *.txt; do
  wc -l "$f"
done"#),
    ("bash", r#"if [ -f /etc/passwd ]; then
  cat /etc/passwd | grep root
fi"#),
    ("bash", r#"NAME="x"
echo "Hello $NAME" >&2"#),
    ("bash", r#"ls -la | sort | head -3"#),
    ("bash", r#"while read -r line; do
  echo "$line"
done"#),
    ("bash", r#"case "$1" in
  start) echo go ;;
esac"#),
    ("bash", r#"greet() {
  local name="$1"
  printf 'hi %s\n' "$name"
}
greet world"#),
    ("bash", r#"for ((i = 0; i < 3; i++)); do echo $i; done"#),
    ("python", r#"#include is a comment here
import os
print(os.getcwd())"#),
    ("javascript", r#"// def main():
const f = (x) => x * 2;
console.log([1, 2].map(f));"#),
    ("c", r#"/* class Foo { public: } */
#include <stdio.h>
int main(void) { printf("std::cout << x"); return 0; }"#),
    ("go", r#"package main

// fn main() { println!() }
func main() { println("x") }"#),
    ("java", r#"// console.log('x')
public class A { static int f() { return 1; } }"#),
];

#[test]
fn snippets_are_recognised() {
    let registry = registry();
    let mut wrong = Vec::new();
    for (language, code) in SNIPPETS {
        match detect(&registry, None, code.as_bytes()) {
            Some(found) if found.language == *language && found.confidence >= CONFIDENT_ENOUGH => {}
            other => wrong.push(format!("{language}: {other:?}\n{code}\n")),
        }
    }
    assert!(SNIPPETS.len() >= 60 && wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn prose_and_noise_are_not_code() {
    let registry = registry();
    for text in [
        "",
        "hello",
        "The quick brown fox jumps over the lazy dog.",
        "1 2 3\n4 5 6",
        "{\"a\": 1, \"b\": [true, null]}",
        "<html><body>hi</body></html>",
        "name,age\nbob,3",
        "\u{1F600}",
    ] {
        let found =
            detect(&registry, None, text.as_bytes()).filter(|found| found.confidence >= CONFIDENT_ENOUGH);
        assert_eq!(found, None, "{text}");
    }
    assert_eq!(detect(&registry, None, &[0xff; 4096]), None);
}

#[test]
fn shebangs() {
    let registry = registry();
    for (line, language) in [
        ("#!/usr/bin/python3", Some("python")),
        ("#!/usr/bin/env python3.11", Some("python")),
        ("#!/usr/bin/env -S python3 -u", Some("python")),
        ("#!/usr/bin/env -S FOO=1 node --trace", Some("javascript")),
        ("#!/usr/bin/env -u X bash", Some("bash")),
        ("#!/bin/sh", Some("bash")),
        ("#! /bin/bash -e", Some("bash")),
        ("#!/usr/bin/env ts-node", Some("typescript")),
        ("#!/usr/bin/env perl", None),
        ("#!", None),
        ("#!/usr/bin/env", None),
    ] {
        let found = detect(&registry, None, format!("{line}\n\n").as_bytes());
        assert_eq!(found.map(|found| found.language).as_deref(), language, "{line}");
    }
}

#[test]
fn the_file_name_wins() {
    let registry = registry();
    for (name, language) in [
        ("a.py", Some("python")),
        ("dir/b.TS", Some("typescript")),
        ("x.mjs", Some("javascript")),
        ("x.cc", Some("cpp")),
        ("run.sh", Some("bash")),
        (".py", None),
        ("Makefile", None),
        ("notes.txt", None),
    ] {
        let found = detect(&registry, Some(name), b"");
        assert_eq!(found.map(|found| found.language).as_deref(), language, "{name}");
    }
}
