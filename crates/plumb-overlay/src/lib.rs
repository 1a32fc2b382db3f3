//! Match and merge one document onto another.
