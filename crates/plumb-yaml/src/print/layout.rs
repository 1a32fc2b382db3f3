//! Indentation.

/// How many columns a level is indented more than the one around it.
pub(super) const STEP: usize = 2;

const SPACES: &[u8; 64] = &[b' '; 64];

/// Appends `width` spaces.
pub(super) fn indentation(width: usize, out: &mut Vec<u8>) {
    match SPACES.get(..width) {
        Some(spaces) => out.extend_from_slice(spaces),
        None => out.resize(out.len() + width, b' '),
    }
}
