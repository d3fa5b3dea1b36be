//! One small project for each framework, with a test of every ending that the framework knows.

/// Paths and texts.
pub type Files = &'static [(&'static str, &'static str)];

pub const PYTEST: Files = &[
    (
        "calc.py",
        r##"def add(a, b):
    return a + b

def div(a, b):
    if b == 0:
        raise ZeroDivisionError("no")
    return a / b
"##,
    ),
    (
        "test_calc.py",
        r##"import os, time, ctypes
import pytest
from calc import add, div

def test_add():
    print("hello")
    assert add(1, 2) == 3

def test_wrong():
    assert add(1, 2) == 4, "sum"

@pytest.fixture
def broken():
    raise RuntimeError("fixture")

def test_error(broken):
    pass

@pytest.mark.skip(reason="later")
def test_skip():
    pass

def test_slow():
    time.sleep(60)

def test_crash():
    ctypes.string_at(0)

def test_exit():
    os._exit(3)

@pytest.mark.parametrize("x", [1, 2])
def test_param(x):
    assert div(x, x) == 1
"##,
    ),
    (
        "test_broken.py",
        r##"import nothing_here
"##,
    ),
];

pub const UNITTEST: Files = &[(
    "test_u.py",
    r##"import unittest, time, os
class T(unittest.TestCase):
    def test_ok(self): print("x")
    def test_bad(self): self.assertEqual(1, 2)
    def test_err(self): raise ValueError("v")
    @unittest.skip("later")
    def test_skip(self): pass
    def test_slow(self): time.sleep(30)
    def test_crash(self): os.abort()
    def test_sub(self):
        for i in range(3):
            with self.subTest(i=i): self.assertNotEqual(i, 1)
class S(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise RuntimeError("class")
    def test_never(self): pass
"##,
)];

pub const NODE: Files = &[
    (
        "package.json",
        r##"{"scripts":{"test":"node --test"}}
"##,
    ),
    (
        "a.test.mjs",
        r##"import test, { describe, it } from "node:test";
import assert from "node:assert";
test("adds", () => assert.equal(1 + 1, 2));
test("wrong", () => assert.equal(1 + 1, 3));
test("throws", () => { null.x; });
test("later", { skip: "not now" }, () => {});
test("slow", { timeout: 100 }, async () => { await new Promise((r) => setTimeout(r, 5000)); });
describe("group", () => { it("inner", () => {}); it("inner bad", () => assert.ok(false)); });
"##,
    ),
    (
        "b.test.mjs",
        r##"import test from "node:test";
test("kills", () => { process.kill(process.pid, "SIGSEGV"); });
"##,
    ),
];

pub const JEST: Files = &[
    (
        "package.json",
        r##"{"devDependencies":{"jest":"29"}}
"##,
    ),
    (
        "a.test.js",
        r##"test("adds", () => expect(1 + 1).toBe(2));
test("wrong", () => { expect(1 + 1).toBe(3); });
test("throws", () => { null.x; });
test.skip("later", () => {});
test("slow", async () => { await new Promise((r) => setTimeout(r, 5000)); }, 100);
describe("group", () => { it("inner", () => {}); });
"##,
    ),
    (
        "broken.test.js",
        r##"const x = require("./nothing"); test("a", () => {});
"##,
    ),
    (
        "crash.test.js",
        r##"test("kills", () => { process.kill(process.pid, "SIGKILL"); });
"##,
    ),
];

pub const VITEST: Files = &[
    (
        "package.json",
        r##"{"devDependencies":{"vitest":"1"}}
"##,
    ),
    (
        "a.test.js",
        r##"import { test, expect, describe, it } from "vitest";
test("adds", () => expect(1 + 1).toBe(2));
test("wrong", () => { expect(1 + 1).toBe(3); });
test("throws", () => { null.x; });
test.skip("later", () => {});
test("slow", async () => { await new Promise((r) => setTimeout(r, 5000)); }, 100);
describe("group", () => { it("inner", () => {}); });
"##,
    ),
    (
        "broken.test.js",
        r##"import { test } from "vitest";
import x from "./nothing"; test("a", () => {});
"##,
    ),
    (
        "crash.test.js",
        r##"import { test } from "vitest";
test("kills", () => { process.kill(process.pid, "SIGKILL"); });
"##,
    ),
];

pub const GO: Files = &[
    (
        "go.mod",
        r##"module example.com/calc

go 1.19
"##,
    ),
    (
        "calc_test.go",
        r##"package calc
import ("testing"; "time")
func TestAdd(t *testing.T) { if 1+1 != 2 { t.Fatal("x") } }
func TestWrong(t *testing.T) {
	t.Errorf("want %d", 3)
}
func TestSkip(t *testing.T) { t.Skip("later") }
func TestSub(t *testing.T) { t.Run("a", func(t *testing.T) {}); t.Run("b", func(t *testing.T) { t.Fatal("b bad") }) }
func TestSlow(t *testing.T) { time.Sleep(20 * time.Second) }
"##,
    ),
    (
        "bad/bad_test.go",
        r##"package bad
import "testing"
func TestX(t *testing.T) { undefined() }
"##,
    ),
    (
        "pan/pan_test.go",
        r##"package pan
import "testing"
func TestBoom(t *testing.T) { var m map[string]int; m["a"] = 1 }
"##,
    ),
];

pub const CARGO: Files = &[
    (
        "Cargo.toml",
        r##"[package]
name = "calc"
version = "0.1.0"
edition = "2021"
"##,
    ),
    (
        "src/lib.rs",
        r##"/// ```
/// assert_eq!(calc::add(1, 2), 3);
/// ```
pub fn add(a: i32, b: i32) -> i32 { a + b }
#[cfg(test)]
mod tests {
    #[test] fn adds() { assert_eq!(super::add(1, 2), 3); }
    #[test] fn wrong() { println!("hello"); assert_eq!(super::add(1, 2), 4, "sum"); }
    #[test] #[ignore = "later"] fn later() {}
    #[test] fn aborts() { std::process::abort(); }
    #[test] #[should_panic] fn panics() { panic!("yes"); }
    #[test] fn zeros() { assert_eq!(super::add(0, 0), 0); }
}
"##,
    ),
];

pub const JUNIT4: Files = &[(
    "CalcTest.java",
    r##"import static org.junit.Assert.*;
import org.junit.*;
public class CalcTest {
  @Test public void adds() { assertEquals(2, 1 + 1); }
  @Test public void wrong() { assertEquals(3, 1 + 1); }
  @Test public void error() { throw new IllegalStateException("boom"); }
  @Ignore("later") @Test public void ignored() {}
  @Test(timeout = 100) public void slow() throws Exception { Thread.sleep(5000); }
  @Test public void exits() { Runtime.getRuntime().halt(3); }
}
"##,
)];

pub const JUNIT5: Files = &[(
    "src/test/java/CalcTest.java",
    r##"import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
import java.util.concurrent.TimeUnit;
class CalcTest {
  @Test void adds() { assertEquals(2, 1 + 1); }
  @Test void wrong() { assertEquals(3, 1 + 1); }
  @Test void error() { throw new IllegalStateException("boom"); }
  @Disabled("later") @Test void ignored() {}
  @Timeout(value = 100, unit = TimeUnit.MILLISECONDS) @Test void slow() throws Exception { Thread.sleep(5000); }
  @Test void exits() { Runtime.getRuntime().halt(3); }
  @RepeatedTest(2) void twice() {}
}
"##,
)];

pub const CTEST: Files = &[
    (
        "CMakeLists.txt",
        r##"cmake_minimum_required(VERSION 3.10)
project(calc C)
enable_testing()
add_executable(t t.c)
add_test(NAME adds COMMAND t ok)
add_test(NAME wrong COMMAND t bad)
add_test(NAME crashes COMMAND t crash)
add_test(NAME slow COMMAND t slow)
add_test(NAME later COMMAND t skip)
set_tests_properties(slow PROPERTIES TIMEOUT 1)
set_tests_properties(later PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME missing COMMAND nothing_there)
"##,
    ),
    (
        "t.c",
        r##"#include <string.h>
#include <stdio.h>
#include <unistd.h>
int main(int n, char **v) { puts("hello"); if (!strcmp(v[1],"bad")) return 1; if (!strcmp(v[1],"crash")) *(volatile int*)0=1; if (!strcmp(v[1],"slow")) sleep(20); if (!strcmp(v[1],"skip")) return 77; return 0; }
"##,
    ),
];
