import assert from "node:assert/strict";
import { test } from "node:test";

import { keptIn } from "../../ui/shell/class_link.js";

const WORD = "http://localhost:8501/glossary?glossary.term=uRBP";

test("a link to a word keeps what is hidden and locked, with the value it is locked at, and nothing else", () => {
  const here = "?guided_path.step=1+Reader&guided_path.rho=0.5&answers=2026-12-01&locked=guided_path.rho&locked=guided_path.step";
  assert.deepEqual([...new URL(keptIn(WORD, here)).searchParams], [
    ["glossary.term", "uRBP"],
    ["answers", "2026-12-01"],
    ["locked", "guided_path.rho"], ["locked", "guided_path.step"],
    ["guided_path.rho", "0.5"],
    ["guided_path.step", "1 Reader"],
  ]);
});

test("followed twice it says it once, and without a class it is as it was", () => {
  const once = keptIn(WORD, "?answers=hidden");
  assert.equal(keptIn(once, "?answers=hidden"), once);
  assert.equal(keptIn(WORD, "?guided_path.rho=0.5"), WORD);
});
