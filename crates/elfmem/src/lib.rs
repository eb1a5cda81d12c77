//! Adaptive memory for LLM agents.
