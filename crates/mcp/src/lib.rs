//! The MCP door: what the platform can do, as tools of a model.
