//! Coverage reports for people and for other programs.

use plumb_source::lexical;
use std::fmt::Write as _;

use plumb::FileCoverage;

/// A table of files: how many lines, branches, functions, overlay operations and rules were used,
/// and which lines were not.
pub fn table(files: &[FileCoverage]) -> String {
    let names: Vec<String> = files.iter().map(|it| lexical::shown(&it.path)).collect();
    let width = names.iter().map(String::len).chain(["all files".len()]).max().unwrap_or(0);
    let head = ["lines", "branches", "functions", "overlays", "rules"];
    let mut out = format!("{:width$}", "");
    for it in head {
        let _ = write!(out, "  {it:>9}");
    }
    out.push_str("  lines not used\n");
    let mut total = [(0, 0); 5];
    for (file, name) in files.iter().zip(&names) {
        let counts = counts(file);
        for (all, own) in total.iter_mut().zip(counts) {
            *all = (all.0 + own.0, all.1 + own.1);
        }
        row(&mut out, name, width, counts, &unused(file));
    }
    if files.len() > 1 {
        row(&mut out, "all files", width, total, "");
    }
    out
}

/// The file that editors and services read: lines, branches and functions. Overlay operations
/// (applied) and rules (satisfied, broken) are listed as branches too.
pub fn lcov(files: &[FileCoverage]) -> String {
    let mut out = String::new();
    for file in files {
        let _ = writeln!(out, "TN:\nSF:{}", lexical::shown(&file.path));
        for (line, name) in file.functions.keys() {
            let _ = writeln!(out, "FN:{line},{name}");
        }
        for ((_, name), count) in &file.functions {
            let _ = writeln!(out, "FNDA:{count},{name}");
        }
        let [_, branches, functions, ..] = counts(file);
        let _ = writeln!(out, "FNF:{}\nFNH:{}", functions.1, functions.0);
        for ((line, number), count) in &file.branches {
            let _ = writeln!(out, "BRDA:{line},0,{number},{count}");
        }
        let mut n_branches = branches;
        for ((line, _), count) in &file.operations {
            let _ = writeln!(out, "BRDA:{line},1,0,{count}");
            n_branches = (n_branches.0 + usize::from(*count > 0), n_branches.1 + 1);
        }
        for (line, (held, broken)) in &file.rules {
            let _ = writeln!(out, "BRDA:{line},2,0,{held}\nBRDA:{line},2,1,{broken}");
            let n_used = usize::from(*held > 0) + usize::from(*broken > 0);
            n_branches = (n_branches.0 + n_used, n_branches.1 + 2);
        }
        let _ = writeln!(out, "BRF:{}\nBRH:{}", n_branches.1, n_branches.0);
        for (line, count) in &file.lines {
            let _ = writeln!(out, "DA:{line},{count}");
        }
        let [lines, ..] = counts(file);
        let _ = writeln!(out, "LF:{}\nLH:{}\nend_of_record", lines.1, lines.0);
    }
    out
}

/// The source of a file with the count before each line, and a note after lines with branches that
/// were not taken.
pub fn marked(file: &FileCoverage, text: &str) -> String {
    let mut out = format!("{}\n", lexical::shown(&file.path));
    for (number, line) in (1u32..).zip(text.lines()) {
        let count = match file.lines.get(&number) {
            Some(0) => "!".to_owned(),
            Some(count) => count.to_string(),
            None => String::new(),
        };
        let mut notes = Vec::new();
        for ((_, way), count) in file.branches.range((number, 0)..=(number, u32::MAX)) {
            notes.push(format!("way {} {}", way + 1, times(*count)));
        }
        for ((_, name), count) in file.functions.iter().filter(|it| it.0.0 == number) {
            notes.push(format!("{name} called {}", times(*count)));
        }
        for (_, count) in file.operations.iter().filter(|it| it.0.0 == number) {
            notes.push(format!("applied {}", times(*count)));
        }
        if let Some((held, broken)) = file.rules.get(&number) {
            notes.push(format!("satisfied {}, broken {}", times(*held), times(*broken)));
        }
        let notes =
            if notes.is_empty() { String::new() } else { format!("  <- {}", notes.join("; ")) };
        let shown = format!("{count:>5} | {line}{notes}");
        out.push_str(shown.trim_end());
        out.push('\n');
    }
    out
}

fn times(count: u32) -> String {
    match count {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

/// The numbers of lines, branches, functions, overlay operations and rules: used ones, and all.
fn counts(file: &FileCoverage) -> [(usize, usize); 5] {
    fn of<'a>(counts: impl Iterator<Item = &'a u32>) -> (usize, usize) {
        counts.fold((0, 0), |all, it| (all.0 + usize::from(*it > 0), all.1 + 1))
    }
    let rules = file.rules.values();
    let rules = rules.fold((0, 0), |all, it| (all.0 + usize::from(it.0 + it.1 > 0), all.1 + 1));
    [
        of(file.lines.values()),
        of(file.branches.values()),
        of(file.functions.values()),
        of(file.operations.values()),
        rules,
    ]
}

fn row(out: &mut String, name: &str, width: usize, counts: [(usize, usize); 5], unused: &str) {
    let mut line = format!("{name:width$}");
    for (used, all) in counts {
        let cell = if all == 0 { "-".to_owned() } else { format!("{used}/{all}") };
        let _ = write!(line, "  {cell:>9}");
    }
    let _ = write!(line, "  {unused}");
    out.push_str(line.trim_end());
    out.push('\n');
}

/// The lines that were not used, as ranges. Lines without code do not end a range.
fn unused(file: &FileCoverage) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    let mut is_open = false;
    for (line, count) in &file.lines {
        match (count, ranges.last_mut().filter(|_| is_open)) {
            (0, Some(last)) => last.1 = *line,
            (0, None) => ranges.push((*line, *line)),
            _ => {}
        }
        is_open = *count == 0;
    }
    let range = |(from, to): &(u32, u32)| {
        if from == to { from.to_string() } else { format!("{from}-{to}") }
    };
    ranges.iter().map(range).collect::<Vec<_>>().join(", ")
}
