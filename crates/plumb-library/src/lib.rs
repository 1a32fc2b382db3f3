//! Input files, libraries and data values: discovery, precedence, order of execution.
