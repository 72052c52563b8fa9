from docs_search.indexing.findings import MAX_EXAMPLES, MAX_KINDS, Findings


def test_warnings_that_differ_in_what_they_name_are_one_kind() -> None:
    findings = Findings()
    findings.add_warning("pond.md", "the included file parts/depth.md is not in the source")
    findings.add_warning("shore.md", "the included file parts/width.md is not in the source")
    findings.add_warning("isle.md", "front matter is not YAML: found 'x' in line 3")

    kinds = [(finding.message, finding.count) for finding in findings]

    assert kinds == [
        ("the included file … is not in the source", 2),
        ("front matter is not YAML: found … in line …", 1),
    ]
    assert next(iter(findings)).examples[1] == ("shore.md", "the included file parts/width.md is not in the source")


def test_findings_are_bounded_in_kinds_and_examples() -> None:
    findings = Findings()
    for number in range(MAX_KINDS + 50):
        findings.add(f"kind {number}", "pond.md", "x" * 1000)
    for _ in range(10):
        findings.add("kind 0", "pond.md")

    kinds = list(findings)

    assert len(kinds) == MAX_KINDS + 1
    assert [(kind.message, kind.count) for kind in kinds[:2]] == [("other findings", 50), ("kind 0", 11)]
    assert all(len(kind.examples) <= MAX_EXAMPLES for kind in kinds)
    assert kinds[0].examples[0] == ("pond.md", f"kind {MAX_KINDS}")
