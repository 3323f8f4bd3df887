// A student's page: joins a class, waits for questions, and sends answers until the server has received them.

const at = (id) => document.getElementById(id);
const RETRY = 1500; // milliseconds
const ENDED = "This class has ended."; // the server no longer knows the class if it ended between two requests
const pause = () => new Promise((done) => setTimeout(done, RETRY));
let code = new URLSearchParams(location.search).get("code") ?? sessionStorage.getItem("code") ?? "";
let now = null, drawn = ""; // the server's last answer, and the question on the screen
let value = () => null; // returns the answer in the control
let ends = 0, follows = false;

async function request(path, body) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`class/${path}`, body && { method: "POST", headers, body: JSON.stringify(body) });
  const told = await answer.json();
  if (!answer.ok) throw Object.assign(new Error(told.error), { status: answer.status });
  return told;
}

function make(tag, text = "", more = {}, children = []) {
  const element = Object.assign(document.createElement(tag), more);
  element.append(text, ...children);
  return element;
}

const link = (text, href) => make("p", "", {}, [make("a", text, { href, target: "_blank" })]);

function say(id, text) {
  if (at(id).textContent !== text) at(id).textContent = text; // so that the same words are not read out again
}

function enter(joined, problem = "") {
  at("join").hidden = joined;
  at("class").hidden = !joined;
  sessionStorage.setItem("code", code);
  say("problem", problem);
}

async function join() {
  try {
    ({ code } = await request("join", { code, name: at("name").value }));
    enter(true);
    if (!follows) follow();
  } catch ({ status, message }) {
    at("named").hidden &&= status !== 422;
    say("problem", status ? message : "The server cannot be reached. Try again.");
    if (status === 422) at("name").focus();
  }
}

async function follow() {
  follows = true;
  while (code) {
    try {
      now = await request(`${code}/state?seen=${now?.seen ?? ""}`);
      say("problem", "");
      show(now);
    } catch ({ status }) {
      if (status === 404) {
        code = drawn = at("code").value = "";
        now = null;
        enter(false, ENDED);
      } else if (status === 403) await join();
      else if (!status) say("problem", "The server has ended or cannot be reached. This page keeps trying; your answer is kept.");
      await pause();
    }
  }
  follows = false;
}

function show({ question, shown, seat, name, stuck, follow: led }) {
  const open = Boolean(question && !question.closed);
  say("title", `Class ${code}, ${name || `seat ${seat}`}`);
  at("stuck").setAttribute("aria-pressed", stuck);
  at("free").hidden = led;
  at("answer").hidden = !open;
  at("shown").hidden = !shown || open;
  if (shown) at("shown").replaceChildren(make("h2", shown.title), ...shown.lines.map((line) => make("p", line)), link("Open this step", shown.link));
  if (!question) return at("question").replaceChildren(make("p", "Wait for the first question."));
  if (drawn !== (drawn = `${question.at} ${question.closed}`)) ask(question, open);
  ends = open && question.left !== undefined ? Date.now() + question.left * 1000 : 0;
  if (!kept()) say("status", sent(question, open));
  tick();
}

function sent({ kind, mine, right }, open) {
  if (mine === undefined) return "";
  const verdict = open || typeof right !== "boolean" ? "" : right ? " Right." : " Not quite.";
  return `${kind === "draw" ? "Winner of your resample" : open ? "Sent. You can change it" : "Your answer"}: ${mine}.${verdict}`;
}

function ask(question, open) {
  const lines = open ? [] : [question.sentence, question.near];
  at("question").replaceChildren(make("h2", question.text), ...lines.filter(Boolean).map((line) => make("p", line)));
  if (!open) return forget();
  if (question.link) at("question").append(link("Open the view", question.link));
  at("send").disabled = false;
  at("send").textContent = question.kind === "draw" ? "Draw my resample" : "Send";
  const [label, control, read] = CONTROLS[question.kind](question);
  at("control").replaceChildren(make("label", label, { htmlFor: "value" }), ...control);
  value = read;
  const left = kept();
  if (left) send(left);
}

const box = (tag, more) => make(tag, "", { id: "value", required: true, autocomplete: "off", ...more });
const typed = (label, field) => [label, [field], () => field.value];

const CONTROLS = {
  number: ({ unit }) => typed(`Your number${unit && ` (${unit})`}`, box("input", { inputMode: "decimal", maxLength: 40 })),
  words: () => typed("Your answer", box("textarea", { maxLength: 200 })),
  draw: () => ["", [], () => null],
  choice: ({ options }) => {
    const radios = options.map((_, index) => box("input", { type: "radio", name: "value", id: `value${index}` }));
    const labels = options.map((text, index) => make("label", "", { className: "option" }, [radios[index], text]));
    return ["", [make("fieldset", "", {}, [make("legend", "Your choice"), ...labels])], () => radios.findIndex((radio) => radio.checked)];
  },
  slider: ({ options }) => {
    const track = box("input", { type: "range", min: 0, max: options.length - 1 }), output = make("output");
    track.value = Math.floor(options.length / 2);
    (track.oninput = () => track.setAttribute("aria-valuetext", (output.textContent = options[track.value])))();
    return ["Move the slider", [output, track], () => Number(track.value)];
  },
  order: ({ options }) => {
    const list = make("ol", "", {}, options.map((text, index) => {
      const row = make("li", "", { value: index }, [make("span", text)]);
      const button = (sign, where, move) => {
        const made = make("button", sign, { type: "button", ariaLabel: `Move ${text} ${where}` });
        made.onclick = () => (move(), made.focus());
        return made;
      };
      const up = button("↑", "up", () => row.previousElementSibling?.before(row));
      row.append(up, button("↓", "down", () => row.nextElementSibling?.after(row)));
      return row;
    }));
    return ["", [make("p", "First to last"), list], () => [...list.children].map((row) => row.value)];
  },
};

function tick() {
  if (!ends) return;
  const left = Math.max(Math.ceil((ends - Date.now()) / 1000), 0);
  at("send").disabled = !left;
  at("send").textContent = left ? `Send (${left} s left)` : "Time is up";
}

// An answer is kept in this tab until the server has it, also over a reload.
const place = () => `answer ${code}`;
const forget = () => sessionStorage.removeItem(place());

function kept() {
  const left = JSON.parse(sessionStorage.getItem(place()));
  return left?.question === now?.question?.at ? left : null;
}

async function send(given) {
  sessionStorage.setItem(place(), JSON.stringify(given));
  say("status", "Sending…");
  while (JSON.stringify(kept()) === JSON.stringify(given)) {
    try {
      await request(`${code}/say`, given);
      forget();
      return show(now);
    } catch ({ status, message }) {
      if (!status || status === 429) await pause();
      else {
        forget();
        say("status", message);
      }
    }
  }
}

at("answer").onsubmit = () => (send({ question: now.question.at, value: value() }), false);
at("stuck").onclick = () => request(`${code}/say`, { stuck: !now.stuck }).catch(() => {});
at("join").onsubmit = () => ((code = at("code").value), join(), false);
setInterval(tick, 500);
at("code").value = code;
if (code) join();
