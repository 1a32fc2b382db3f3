//! Rules, outcomes and violations.
