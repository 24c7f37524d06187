'use strict';
(() => {
const data = JSON.parse(document.getElementById('data').textContent);
const app = document.getElementById('app');
if (!app || !data.minimal) return;

// What cannot be seen is shown by its number: a source could look like another one.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
const plain = s => String(s).replace(hidden, c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
const el = (tag, cls, ...kids) => {
  const e = document.createElement(tag);
  if (cls) e.className = cls;
  e.append(...kids.map(k => typeof k === 'object' ? k : plain(k)));
  return e;
};
const svg = (tag, attrs, text) => {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const k in attrs) e.setAttribute(k, attrs[k]);
  if (text !== undefined) e.textContent = plain(text);
  return e;
};
const shortest = 4; // of what is collapsed
const printed = 300; // rows, at most, of a long execution
// The end of a place says more than its beginning.
const place = s => { const at = s.file.slice(s.file.lastIndexOf('/') + 1) + ':' + s.line; return at.length > 22 ? '…' + at.slice(-21) : at; };
const sourceAt = (file, line) => file && data.sources && data.sources[file] && data.sources[file][line] || '';
const sourceOf = s => sourceAt(s.file, s.line);

// A Model is a timeline with the rows that it is shown by.
class Model {
  constructor(t, begin) {
    this.steps = t.steps; this.lanes = t.lanes; this.frames = t.frames || [];
    this.edges = t.edges || []; this.spans = t.spans || []; this.marks = t.marks || []; this.objects = t.objects || {};
    this.marked = new Set(this.marks.flatMap(m => m.steps || []));
    this.reversed = new Set(this.marks.filter(m => m.kind === 'order' && m.steps.length === 2).map(m => m.steps.join()));
    this.open = new Set(); // first steps of stretches that are open
    this.now = begin;
    this.held = []; // what buffers hold after steps
    this.steps.forEach((s, i) => { if (s.value && s.objects && /\d+ (of \d+|in the buffer)/.test(s.value)) this.held.push([i, s.objects.at(-1), s.value.match(/\d+ (of \d+|in the buffer)/)[0]]); });
  }
  oneLine(i, j) { const a = this.steps[i], b = this.steps[j]; return a.file && a.lane === b.lane && a.file === b.file && a.line === b.line; }
  decisive(i) { const s = this.steps[i]; return s.kept || s.switch || this.marked.has(i); }
  fold(print, lane) {
    const n = this.steps.length, shown = print && n > printed ? this.printed() : null;
    this.rows = []; this.rowOf = new Int32Array(n); this.stretch = new Int32Array(n).fill(-1);
    const add = (from, to) => { this.rowOf.fill(this.rows.length, from, to); this.rows.push({from, to}); };
    const wanted = i => lane === undefined || print || this.steps[i].lane === lane;
    for (let i = 0; i < n;) {
      if (!wanted(i)) { this.rowOf[i] = Math.max(0, this.rows.length - 1); i++; continue; }
      let j = i;
      if (shown) while (j < n && !shown.has(j)) j++;
      else if (!print) while (j < n && this.steps[j].lane === this.steps[i].lane && !this.decisive(j)) j++;
      const few = !shown && j - i < shortest;
      if (few && !print) for (j = i; j < n && !this.decisive(j) && this.oneLine(i, j); j++);
      if (j - i >= (shown || few ? 2 : shortest) && !(this.open.has(i) && !shown)) { this.stretch.fill(i, i, j); add(i, j); i = j; continue; }
      for (j = Math.max(j, i + 1); i < j; i++) add(i, i + 1);
    }
  }
  // printed are the steps of a long execution that are printed: what is marked, what else decides, and what is around both.
  printed() {
    const set = new Set(), add = i => { if (i >= 0 && i < this.steps.length && set.size < printed) set.add(i); };
    const all = [...this.steps.keys()].filter(i => this.decisive(i)), half = printed / 3;
    this.marked.forEach(add);
    (all.length > 2 * half ? [...all.slice(0, half), ...all.slice(-half)] : all).forEach(add);
    for (const d of [1, 2]) for (const i of [...set]) { add(i - d); add(i + d); }
    return set;
  }
  name(o) { return this.objects[o] || '[' + o + ']'; }
  named(text) { return text.replace(/\[(\d+)\]/g, (_, o) => this.name(o)); }
  what(s) { const all = s.objects || [], few = all.length > 4 ? all.slice(0, 3) : all; return s.text + few.map(o => ' ' + this.name(o)).join('') + (all.length > few.length ? ' and ' + (all.length - few.length) + ' more' : ''); }
  outcomes(s) { return [...new Set([...(s.remarks || []), ...(s.value ? [s.value] : [])])].map(t => this.named(t)); }
  time(s) {
    const t = s.time || 0;
    return t >= 1e9 ? +(t / 1e9).toFixed(3) + ' s' : t >= 1e6 ? +(t / 1e6).toFixed(3) + ' ms' : t >= 1e3 ? +(t / 1e3).toFixed(3) + ' µs' : t + ' ns';
  }
}

// The style has the colours of eight lanes. Hues that are a golden angle apart do not repeat.
const most = Math.max(...[data.minimal, data.found].map(t => t ? t.lanes.length : 0));
for (let i = 8; i < most; i++) {
  const hue = Math.round(i * 137.508 % 360 * 10) / 10;
  document.styleSheets[0].insertRule(`.l${i}{--lane:light-dark(hsl(${hue} 75% 30%),hsl(${hue} 75% 75%))}`);
}

const models = [new Model(data.minimal, data.begin[0])];
if (data.found) models.push(new Model(data.found, data.begin[1]));
let m = models[0];

const bar = el('div', 'bar'), slider = el('input'), count = el('span', 'count'), view = el('div', 'view'), heads = el('div', 'heads'), sizer = el('div', 'sizer'), panel = el('aside', 'panel');
const art = svg('svg', {'aria-hidden': 'true'});
slider.type = 'range'; slider.min = 0; slider.setAttribute('aria-label', 'step of the execution');
view.tabIndex = 0; view.setAttribute('role', 'listbox'); view.setAttribute('aria-label', 'steps, in the order of time');
panel.setAttribute('aria-label', 'state at the step'); panel.setAttribute('aria-live', 'polite');
const button = (text, label, f) => { const b = el('button', '', text); b.type = 'button'; b.setAttribute('aria-label', label); b.onclick = f; return b; };
const tabs = models.length > 1 ? models.map((x, i) => {
  const b = button(i ? 'As found' : 'Shrunk', (i ? 'the schedule as it was found, ' : 'the shrunk schedule, ') + x.steps.length + ' steps', () => choose(i));
  b.setAttribute('role', 'tab');
  return b;
}) : [];
if (tabs.length) { const list = el('div', 'tabs', ...tabs); list.setAttribute('role', 'tablist'); bar.append(list); }
const folds = button('Open all', 'open or collapse all stretches', () => {
  if (m.rows.some(r => r.to - r.from > 1)) m.rows.forEach(r => r.to - r.from > 1 && m.open.add(r.from)); else m.open.clear();
  refold();
  reveal();
});
const search = el('input'), tasks = el('select');
search.type = 'search'; search.placeholder = 'Search'; search.setAttribute('aria-label', 'search the steps; Enter goes to the next');
tasks.setAttribute('aria-label', 'show the steps of a task');
bar.append(button('◀', 'step back', () => go(m.now - 1)), slider, button('▶', 'next step', () => go(m.now + 1)), count, search, tasks, folds);
sizer.append(art);
view.append(heads, sizer);
const map = el('canvas', 'map');
map.setAttribute('aria-hidden', 'true');
map.onclick = e => go(Math.floor(e.offsetX / map.clientWidth * m.steps.length));
app.append(bar, map, el('div', 'split', view, panel));
const leftOut = el('p', 'printed');
app.append(leftOut);
const legend = el('p', 'legend', 'Bar: holds a lock. Dotted: waits. Filled: decisive. Arrow: happens before; red: the order that fails. Keys: ← → step, and open what is collapsed; n p next and previous decisive step; / search.');
app.append(legend);

let rowHeight = 30, gap = 20, left = 52, all = false;
const measure = () => {
  const narrow = matchMedia('(max-width:40rem)').matches && !all;
  rowHeight = narrow ? 50 : 30;
  gap = Math.max(6, Math.min(narrow ? 14 : 22, (narrow ? 90 : 260) / m.lanes.length));
  view.style.setProperty('--tracks', (gap * m.lanes.length + 8) + 'px');
  sizer.style.height = m.rows.length * rowHeight + 'px';
};
const x = lane => 6 + gap / 2 + lane * gap;
const y = row => row * rowHeight + rowHeight / 2;

function choose(i, row = models[i].now) {
  m = models[i];
  tabs.forEach((b, j) => b.setAttribute('aria-selected', String(i === j)));
  slider.max = m.steps.length - 1;
  heads.replaceChildren(...m.lanes.slice(0, 24).map((l, j) => el('span', 'l' + j, l.title)));
  if (m.lanes.length > 24) heads.append(el('em', '', (m.lanes.length - 24) + ' more'));
  tasks.replaceChildren(new Option('All tasks', ''), ...m.lanes.map((l, j) => new Option(plain(l.title), j)));
  tasks.hidden = m.lanes.length < 2;
  refold();
  paintMap();
  go(row);
}

// paintMap paints each step as a bar in the line of its task, and a line through all where one is marked. drawMap adds
// where the selected one is.
const picture = document.createElement('canvas');
function paintMap() {
  map.hidden = m.steps.length < 60;
  if (map.hidden) return;
  const w = picture.width = map.width = map.clientWidth * devicePixelRatio, h = picture.height = map.height = map.clientHeight * devicePixelRatio;
  const c = picture.getContext('2d'), n = m.steps.length, high = h / m.lanes.length;
  const colour = (cls, value) => { const e = el('i', cls); e.style.color = value; map.after(e); const seen = getComputedStyle(e).color; e.remove(); return seen; };
  const colours = m.lanes.map((l, i) => colour('l' + i, 'var(--lane)'));
  m.steps.forEach((s, i) => { c.fillStyle = colours[s.lane]; c.fillRect(i / n * w, s.lane * high, Math.max(1, w / n), Math.max(1, high - 1)); });
  c.fillStyle = colour('', 'var(--bad)');
  m.marked.forEach(i => c.fillRect(i / n * w, 0, 2 * devicePixelRatio, h));
  picture.accent = colour('', 'var(--accent)');
  drawMap();
}
function drawMap() {
  if (map.hidden) return;
  const c = map.getContext('2d');
  c.clearRect(0, 0, map.width, map.height);
  c.drawImage(picture, 0, 0);
  c.fillStyle = picture.accent;
  c.fillRect(m.now / m.steps.length * map.width, 0, 2 * devicePixelRatio, map.height);
}
matchMedia('(prefers-color-scheme:dark)').addEventListener('change', paintMap);

function refold() {
  m.fold(all, tasks.value === '' ? undefined : +tasks.value);
  leftOut.textContent = all && m.rows.length < m.steps.length ? 'Printed are ' + m.rows.filter(r => r.to - r.from === 1).length + ' of ' + m.steps.length + ' steps: what decides, and what is around it.' : '';
  folds.hidden = !m.open.size && !m.rows.some(r => r.to - r.from > 1);
  folds.firstChild.data = m.rows.some(r => r.to - r.from > 1) ? 'Open all' : 'Collapse';
  measure();
  draw();
}

function rowElement(r) {
  const {from, to} = m.rows[r], s = m.steps[from];
  const e = el('div', 'row l' + s.lane);
  e.style.top = r * rowHeight + 'px';
  e.id = 'row' + r; e.setAttribute('role', 'option'); e.setAttribute('aria-posinset', r + 1); e.setAttribute('aria-setsize', m.rows.length);
  const here = m.now >= from && m.now < to;
  e.setAttribute('aria-selected', String(here));
  if (here) e.classList.add('now');
  if (to - from > 1) {
    e.classList.add('fold');
    const tasks = new Set(m.steps.slice(from, to).map(t => t.lane)).size;
    e.append(el('span', 'n', '⋯'), el('span', 'gap'), el('span', 'what', '▸ ' + (to - from) + ' steps of ' + (tasks > 1 ? tasks + ' tasks' : m.lanes[s.lane].task)));
    if (m.oneLine(from, to - 1)) e.append(el('code', 'src1', sourceOf(s).trim()), el('span', 'at', place(s)));
    e.onclick = () => { m.open.add(from); refold(); };
    return e;
  }
  if (m.marked.has(from)) e.classList.add('marked');
  const what = el('span', 'what', m.what(s));
  const more = m.outcomes(s);
  if (s.switch) more.push(s.switch.includes(': run ') ? 'switch' : 'decision');
  if (from > 0 && (s.time || 0) !== (m.steps[from - 1].time || 0)) more.push('at ' + m.time(s));
  if (more.length) what.append(el('i', '', ' ' + more.join(', ')));
  what.title = m.lanes[s.lane].title + ': ' + what.textContent;
  const code = el('code', 'src1', sourceOf(s).trim()), at = el('span', 'at', s.file ? place(s) : '');
  if (s.file) at.title = plain(s.file + ':' + s.line);
  e.append(el('span', 'n', s.step || from + 1), el('span', 'gap'), what, code, at);
  e.onclick = () => go(from);
  return e;
}

let drawn = [];
function draw() {
  const n = m.rows.length;
  let first = 0, last = n;
  if (!all) {
    const top = view.scrollTop - sizer.offsetTop, high = view.clientHeight || 600;
    first = Math.max(0, Math.floor(top / rowHeight) - 8);
    last = Math.min(n, Math.ceil((top + high) / rowHeight) + 8);
  }
  drawn.forEach(e => e.remove());
  drawn = [];
  for (let r = first; r < last; r++) drawn.push(rowElement(r));
  sizer.append(...drawn);
  drawTracks(first, last);
  const now = document.getElementById('row' + m.rowOf[m.now]);
  if (now) view.setAttribute('aria-activedescendant', now.id); else view.removeAttribute('aria-activedescendant');
}

function drawTracks(first, last) {
  const top = first * rowHeight, bottom = last * rowHeight, parts = [];
  art.setAttribute('width', gap * m.lanes.length + 12); art.setAttribute('height', Math.max(0, bottom - top));
  art.setAttribute('viewBox', [0, top, gap * m.lanes.length + 12, Math.max(0, bottom - top)].join(' '));
  art.style.top = top + 'px';
  const clip = v => Math.max(top - 20, Math.min(bottom + 20, v));
  const end = m.rows.length * rowHeight, at = i => i < 0 ? end : y(m.rowOf[i]);
  m.lanes.forEach((l, i) => {
    const a = at(l.first), b = at(l.last);
    if (b >= top && a <= bottom) parts.push(svg('line', {class: 'life l' + i, x1: x(i), x2: x(i), y1: clip(a), y2: clip(b)}));
  });
  const depth = new Map();
  for (const s of m.spans) {
    const a = at(s.from), b = at(s.to);
    if (b < top || a > bottom || s.kind === 'wait') continue;
    const k = s.lane + ':' + Math.round(a), d = depth.get(k) || 0;
    depth.set(k, d + 1);
    parts.push(svg('rect', {class: 'hold l' + s.lane + (s.kind === 'hold' ? '' : ' read'), x: x(s.lane) - 4.5, y: clip(a), width: 9, height: Math.max(2, clip(b) - clip(a)), rx: 3}));
  }
  for (const s of m.spans) {
    const a = at(s.from), b = at(s.to);
    if (b < top || a > bottom || s.kind !== 'wait') continue;
    parts.push(svg('line', {class: 'gapline', x1: x(s.lane), x2: x(s.lane), y1: clip(a + 5), y2: clip(b - 5), stroke: 'var(--bg)', 'stroke-width': 4}));
    parts.push(svg('line', {class: 'life waits l' + s.lane, x1: x(s.lane), x2: x(s.lane), y1: clip(a), y2: clip(b)}));
  }
  const arrow = (from, to, extra) => {
    const a = m.rowOf[from], b = m.rowOf[to];
    if (a === b || b < first - 1 || a > last) return;
    const x1 = x(m.steps[from].lane), x2 = x(m.steps[to].lane), y1 = y(a), y2 = y(b), side = Math.sign(x2 - x1) || 1;
    const bend = Math.min(y2 - y1, rowHeight * 1.5) * .6, tip = x2 - side * 6;
    const long = b - a > 60; // the middle is left to the eye
    const d = long ? `M${x1} ${y1}C${x1 + side * gap / 2} ${y1 + bend} ${x1 + side * gap / 2} ${y1 + bend} ${x1 + side * gap / 2} ${y1 + bend}L${x1 + side * gap / 2} ${clip(y2 - bend)}L${tip} ${y2}` : `M${x1} ${y1}C${x1} ${y2} ${x1} ${y2} ${tip} ${y2}`;
    parts.push(svg('path', {class: 'edge ' + extra, d}));
    parts.push(svg('path', {class: 'head ' + extra, d: `M${x2 - side * 5} ${y2}l${-side * 5} -3.5v7z`}));
  };
  for (const e of m.edges) arrow(e.from, e.to, e.from === m.now || e.to === m.now ? 'here' : '');
  for (const k of m.marks) if (k.kind === 'order' && k.steps.length === 2) arrow(k.steps[0], k.steps[1], 'reversed');
  for (let r = first; r < last; r++) {
    const {from, to} = m.rows[r], s = m.steps[from]; const c = 'dot l' + s.lane;
    if (to - from > 1) { for (const d of [-5, 0, 5]) parts.push(svg('circle', {class: c + ' kept', cx: x(s.lane), cy: y(r) + d, r: 1.5})); continue; }
    parts.push(svg('circle', {class: c + (m.decisive(from) ? ' kept' : ''), cx: x(s.lane), cy: y(r), r: 4}));
    if (m.marked.has(from)) parts.push(svg('circle', {class: 'ring', cx: x(s.lane), cy: y(r), r: 7}));
  }
  art.replaceChildren(...parts);
}

const covers = (s, i) => s.from <= i && (s.to < 0 || s.to > i);
function state(i) {
  const s = m.steps[i], lane = m.lanes[s.lane], out = [];
  out.push(el('p', 'who l' + s.lane, lane.title), el('p', 'op', m.what(s)));
  const facts = m.outcomes(s);
  if (s.step || s.time) facts.push([s.step ? 'step ' + s.step : '', s.time ? 'at ' + m.time(s) : ''].filter(Boolean).join(', '));
  if (s.switch) facts.push('the schedule decides here: ' + s.switch);
  facts.forEach(f => out.push(el('p', '', f)));
  if (s.file) {
    out.push(el('p', 'at', s.file + ':' + s.line));
    const lines = data.sources && data.sources[s.file] || {}, box = el('div', 'src');
    let l = s.line;
    while (lines[l - 1] !== undefined) l--;
    for (; lines[l] !== undefined; l++) box.append(el('div', l === s.line ? 'hit' : '', el('span', '', l), lines[l] || ' '));
    if (box.children.length) out.push(box);
  }
  (s.callers || []).forEach(n => {
    const f = m.frames[n];
    out.push(el('p', 'at', 'called at ' + f.file + ':' + f.line + ' ', el('code', '', sourceAt(f.file, f.line).trim())));
  });
  const list = (title, items) => { if (items.length) { out.push(el('h3', '', title)); items.forEach(t => out.push(t)); } };
  const about = (lane, text) => el('p', '', el('span', 'who l' + lane, m.lanes[lane].task), ' ' + text);
  list('Locks held', m.spans.filter(p => p.kind !== 'wait' && covers(p, i)).map(p => about(p.lane, m.name(p.object) + (p.kind === 'hold' ? '' : ', for reading'))));
  list('Waiting', m.spans.filter(p => p.kind === 'wait' && covers(p, i)).map(p => about(p.lane, p.object ? 'for ' + m.name(p.object) : '')));
  const channels = new Map();
  for (const [j, o, v] of m.held) { if (j > i) break; channels.set(o, v); }
  list('Channels', [...channels].map(([o, v]) => el('p', '', m.name(o) + ': ' + v)));
  const step = (j, kind) => { const p = about(m.steps[j].lane, m.what(m.steps[j]) + (m.steps[j].file ? ' at ' + place(m.steps[j]) : '') + ' (' + kind + ')'); p.dataset.step = j; p.onclick = () => go(j); return p; };
  list('Happens after', m.edges.filter(e => e.to === i).map(e => step(e.from, e.kind)));
  list('Happens before', m.edges.filter(e => e.from === i).map(e => step(e.to, e.kind)));
  for (const k of m.marks) if ((k.steps || []).includes(i)) list(k.kind, [el('p', '', m.named(k.text))]);
  panel.replaceChildren(...out);
  const hit = panel.querySelector('.hit');
  if (hit) hit.parentNode.scrollTop = hit.offsetTop - hit.parentNode.offsetTop - hit.parentNode.clientHeight / 2;
}

function go(i) {
  i = Math.max(0, Math.min(m.steps.length - 1, i));
  m.now = i;
  if (!ofTask(i)) { tasks.value = ''; refold(); }
  const f = m.stretch[i];
  if (f >= 0) { m.open.add(f); refold(); }
  slider.value = i;
  slider.setAttribute('aria-valuetext', 'row ' + (i + 1) + ': ' + m.lanes[m.steps[i].lane].task + ' ' + m.what(m.steps[i]));
  count.textContent = 'row ' + (i + 1) + ' of ' + m.steps.length;
  reveal();
  state(i);
  drawMap();
  clearTimeout(linking);
  if (linked) linking = setTimeout(() => history.replaceState(null, '', '#' + (m === models[0] ? 'row-' : 'found-') + (m.now + 1)), 200);
}

// reveal brings the selected row into view.
function reveal() {
  const top = m.rowOf[m.now] * rowHeight + sizer.offsetTop;
  if (top < view.scrollTop + sizer.offsetTop || top + rowHeight > view.scrollTop + view.clientHeight) view.scrollTop = top - view.clientHeight / 2;
  draw();
}

// The address has the selected row from the first step on.
let linked = false, linking = 0;
function follow() {
  const [, which, row] = location.hash.match(/^#(row|found)-(\d{1,9})$/) || [];
  if (!row || which === 'found' && !models[1]) return false;
  choose(which === 'found' ? 1 : 0, row - 1);
  return true;
}
addEventListener('hashchange', follow);

// next returns the next row in a direction for which wanted is true, or undefined.
function next(wanted, by) {
  for (let i = m.now + by; i >= 0 && i < m.steps.length; i += by) if (wanted(i)) return i;
}
const ofTask = i => tasks.value === '' || m.steps[i].lane === +tasks.value;
function find(by) {
  const text = search.value.toLowerCase();
  if (!text) return;
  const has = i => { const s = m.steps[i]; return ofTask(i) && [m.what(s), ...m.outcomes(s), m.lanes[s.lane].title, s.file + ':' + s.line, sourceOf(s)].join('\n').toLowerCase().includes(text); };
  let i = next(has, by);
  for (let j = by > 0 ? 0 : m.steps.length - 1; i === undefined && j !== m.now; j += by) if (has(j)) i = j; // from the other end
  search.setAttribute('aria-invalid', String(i === undefined && !has(m.now)));
  if (i !== undefined) go(i);
}
search.onkeydown = e => { if (e.key === 'Enter') { e.preventDefault(); find(e.shiftKey ? -1 : 1); } else if (e.key === 'Escape') view.focus(); };
search.oninput = () => search.setAttribute('aria-invalid', 'false');
tasks.onchange = () => {
  if (!ofTask(m.now)) { const i = next(ofTask, 1) ?? next(ofTask, -1); if (i !== undefined) go(i); }
  refold();
  reveal();
};

let frame = 0, moved = 0;
slider.oninput = () => { if (!moved) moved = requestAnimationFrame(() => { moved = 0; go(+slider.value); }); };
view.onscroll = () => { if (!frame) frame = requestAnimationFrame(() => { frame = 0; draw(); }); };
addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || e.target.matches?.('input, select')) return;
  if (e.key === '/') { e.preventDefault(); search.focus(); return; }
  const inView = e.target === view;
  const to = {ArrowRight: m.now + 1, ArrowLeft: m.now - 1, n: next(i => m.decisive(i), 1), p: next(i => m.decisive(i), -1)}[e.key] ?? (inView ? {ArrowDown: m.now + 1, ArrowUp: m.now - 1, Home: 0, End: m.steps.length - 1}[e.key] : undefined);
  if (to !== undefined) { e.preventDefault(); go(to); }
});
document.querySelectorAll('[data-go]').forEach(e => {
  e.tabIndex = 0; e.setAttribute('role', 'button');
  const jump = () => { choose(0); go(+e.dataset.go); document.getElementById('execution').scrollIntoView({block: 'start'}); };
  e.onclick = jump;
  e.onkeydown = k => { if (k.key === 'Enter') jump(); };
});
addEventListener('resize', () => { measure(); draw(); paintMap(); });
addEventListener('beforeprint', () => { all = true; refold(); });
addEventListener('afterprint', () => { all = false; refold(); });

// The graph of the waits: tasks on a circle, an arrow to each that could end the wait.
function graph() {
  const waits = (data.minimal.waits || []).filter(w => (w.for || []).length), box = document.getElementById('graph');
  const tasks = [...new Set(waits.flatMap(w => [w.task, ...w.for]))];
  if (!box || !tasks.length || tasks.length > 8) return;
  const w = 420, h = tasks.length === 2 ? 110 : 60 + 40 * tasks.length, lane = t => Math.max(0, data.minimal.lanes.findIndex(l => l.task === t));
  const place = new Map(tasks.map((t, i) => { const a = 2 * Math.PI * i / tasks.length - Math.PI / (tasks.length === 2 ? 1 : 2); return [t, [w / 2 + 140 * Math.cos(a), h / 2 + (h / 2 - 28) * Math.sin(a)]]; }));
  const g = svg('svg', {viewBox: `0 0 ${w} ${h}`, width: w, height: h, role: 'img', 'aria-label': waits.map(v => v.text).join('; ')});
  for (const v of waits) for (const t of v.for) {
    if (t === v.task) continue;
    const [x1, y1] = place.get(v.task), [x2, y2] = place.get(t), dx = x2 - x1, dy = y2 - y1, len = Math.hypot(dx, dy), ux = dx / len, uy = dy / len;
    const cx = (x1 + x2) / 2 - uy * 26, cy = (y1 + y2) / 2 + ux * 26, ex = x2 - ux * 36 - uy * 8, ey = y2 - uy * 18 + ux * 8;
    g.append(svg('path', {class: 'edge', d: `M${x1} ${y1}Q${cx} ${cy} ${ex} ${ey}`}));
    const an = Math.atan2(ey - cy, ex - cx) * 180 / Math.PI;
    g.append(svg('path', {class: 'head', d: 'M2 0l-8 -4v8z', transform: `translate(${ex} ${ey}) rotate(${an})`}));
    if (v.object) g.append(svg('text', {x: cx, y: cy + 4, 'text-anchor': 'middle'}, models[0].name(v.object)));
  }
  for (const [t, [px, py]] of place) {
    const width = Math.max(50, t.length * 7 + 18), c = 'l' + lane(t);
    g.append(svg('rect', {class: c, x: px - width / 2, y: py - 14, width, height: 28, rx: 14, fill: 'var(--bg)', stroke: 'var(--lane)', 'stroke-width': 1.5}));
    g.append(svg('text', {x: px, y: py + 4, 'text-anchor': 'middle'}, t));
  }
  box.append(g);
}
if (!follow()) choose(0);
linked = true;
document.querySelectorAll('.command').forEach(e => {
  const copy = button('Copy', 'copy the command', async () => {
    try { await navigator.clipboard.writeText(e.textContent); } catch { getSelection().selectAllChildren(e); document.execCommand('copy'); }
    copy.textContent = 'Copied';
  });
  copy.className = 'copy';
  e.before(copy);
});
graph();
})();
