//! What one door can do, every door can do, with the same result: `tests/doors` holds the table of use-cases, and one file
//! for each door (library, command line, MCP, HTTP). Nothing here ships.
