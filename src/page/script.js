// What a page does beyond being read: filter, keys, viewed marks, copying, marked words, two columns.
// Nothing here is needed to read the page, and no text of it is ever taken as markup.
(() => {
  'use strict';

  // Rows: changes, and groups of them, whose members are changes.
  const rows = Array.from(document.querySelectorAll('details[data-kind]'));
  const isGroup = (row) => row.classList.contains('group');
  const changes = rows.filter((row) => !isGroup(row));
  if (rows.length === 0) return;
  const groupAround = (change) => change.parentElement.closest('details.group');
  const membersOf = (row) => (isGroup(row) ? Array.from(row.querySelectorAll('details[data-kind]')) : [row]);

  // Elements

  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const button = (text, act) => {
    const element = make('button', { type: 'button' }, text);
    element.addEventListener('click', () => act(element));
    return element;
  };
  const addressOf = (change) => change.querySelector('summary code').textContent;

  // Storage: a sandbox may refuse it, and then the page forgets.

  const stored = (key, otherwise) => {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? otherwise;
    } catch {
      return otherwise;
    }
  };
  const store = (key, value) => {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // It holds until the page is closed.
    }
  };

  // Filter: words on addresses, types and everything that is shown; a:ACTION, m:MODULE, f:FINDING; ! negates.

  const textOf = (elements) => elements.map((element) => element.textContent).join('\n').toLowerCase();
  // By the element that holds them: a chunk, or a section.
  let groups = null;
  const groupOf = new Map();
  const grouped = () => {
    if (groups) return groups;
    const shared = new Map();
    for (const change of changes) {
      const around = groupAround(change);
      const parent = (around ?? change).parentElement;
      if (!groupOf.has(parent)) {
        groupOf.set(parent, { parent, section: parent.closest('section[id]'), entries: [], around: new Set() });
      }
      const group = groupOf.get(parent);
      if (around && !shared.has(around)) {
        const own = Array.from(around.children).filter((child) => !child.classList.contains('members'));
        shared.set(around, textOf(own));
        group.around.add(around);
      }
      const { kind, type = '', findings = '' } = change.dataset;
      const address = addressOf(change).toLowerCase();
      const text = `${type.toLowerCase()} ${textOf(Array.from(change.children))}`;
      group.entries.push({ change, kind, findings, address, text, shared: shared.get(around) ?? '' });
    }
    groups = Array.from(groupOf.values());
    return groups;
  };
  const ACTIONS = { delete: 'destroy', change: 'update', add: 'create' };
  const isInModule = (address, module) =>
    module === 'root'
      ? !address.startsWith('module.')
      : address.startsWith(`${module}.`) || address.startsWith(`${module}[`);
  const TESTS = {
    a: (entry, word) => entry.kind === (ACTIONS[word] ?? word),
    m: (entry, word) => isInModule(entry.address, word),
    f: (entry, word) => entry.findings.split(' ').some((finding) => finding.split(':', 1)[0] === word),
    '': (entry, word) => entry.text.includes(word) || entry.shared.includes(word),
  };
  const parse = (query) => {
    const terms = { not: [], words: [], a: [], m: [], f: [] };
    for (const [, not, key = '', quoted, plain] of query.matchAll(/(!?)(?:([amf]):)?(?:"([^"]*)"?|(\S+))/g)) {
      const word = (quoted ?? plain).toLowerCase();
      const test = (entry) => TESTS[key](entry, word);
      if (not) terms.not.push(test);
      else if (key) terms[key].push(test);
      else terms.words.push(test);
    }
    return (entry) =>
      terms.words.every((test) => test(entry)) &&
      !terms.not.some((test) => test(entry)) &&
      [terms.a, terms.m, terms.f].every((tests) => tests.length === 0 || tests.some((test) => test(entry)));
  };

  const input = make('input', { type: 'search', autocomplete: 'off', spellcheck: false });
  const count = make('output', { ariaLive: 'polite' });
  const progress = make('span', { className: 'm' });
  const none = make('p', { className: 'none', hidden: true }, 'No change matches. ');
  // What the filter leaves out. The page follows at once where it is on the screen, elsewhere in slices of
  // time: thousands of elements take a browser longer than the time between two letters.
  const leftOut = new Set();
  const isShown = (change) => !leftOut.has(change);
  const onScreen = new Set();
  const waiting = new Set();
  const apply = (group) => {
    waiting.delete(group);
    for (const { change } of group.entries) {
      if (change.hidden !== leftOut.has(change)) change.hidden = !change.hidden;
    }
    for (const around of group.around) {
      const members = membersOf(around);
      const shown = members.filter(isShown).length;
      around.hidden = shown === 0;
      around.querySelector('.times').textContent =
        shown === members.length ? `× ${shown}` : `${shown} of × ${members.length}`;
    }
  };
  const applyAll = () => waiting.forEach(apply);
  const SLICE = 15;
  let slices = 0;
  const applySome = () => {
    clearTimeout(slices);
    const end = performance.now() + SLICE;
    for (const group of waiting) {
      if (performance.now() > end) {
        slices = setTimeout(applySome, SLICE);
        return;
      }
      apply(group);
    }
  };
  const setClass = (element, name, isSet) => {
    if (element.classList.contains(name) !== isSet) element.classList.toggle(name);
  };
  // What leads to changes follows the filter: findings and their cards, the index, the counts.
  const leads = Array.from(document.querySelectorAll('[data-entries]'), (element) => {
    const numbers = element.dataset.entries.split(' ').filter((part) => part !== '').flatMap((part) => {
      const [first, last = first] = part.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, at) => first + at);
    });
    return { item: element.closest('li'), of: numbers.map((number) => document.getElementById(`r${number}`)) };
  });
  const chips = [];
  const followFilter = (isFiltered, sections) => {
    for (const { item, of } of leads) item.hidden = isFiltered && !of.some((change) => change && isShown(change));
    for (const card of document.querySelectorAll('.card')) {
      card.hidden = isFiltered && !Array.from(card.querySelectorAll('li')).some((item) => !item.hidden);
    }
    for (const item of document.querySelectorAll('nav .tree li')) {
      const links = Array.from(item.querySelectorAll('a'));
      item.hidden = isFiltered && !links.some((link) => sections.has(document.getElementById(link.hash.slice(1))));
    }
    const numbers = new Map();
    const add = (word, number = 1) => numbers.set(word, (numbers.get(word) ?? 0) + number);
    for (const { entries } of chips.length > 0 ? grouped() : []) {
      for (const { change, kind, findings } of entries) {
        if (!isShown(change)) continue;
        add(`a:${kind}`);
        for (const [, level, number] of findings.matchAll(/(\S+):(\d+)/g)) add(`f:${level}`, Number(number));
      }
    }
    const words = input.value.trim().split(/\s+/);
    for (const { chip, number, word, whole } of chips) {
      number.textContent = isFiltered ? (numbers.get(word) ?? 0) : whole;
      chip.setAttribute('aria-pressed', String(words.includes(word)));
    }
  };
  const filter = () => {
    const query = input.value.trim();
    const matches = query === '' ? () => true : parse(query);
    const sections = new Set();
    const some = new Set();
    leftOut.clear();
    for (const group of grouped()) {
      const before = leftOut.size;
      for (const entry of group.entries) if (!matches(entry)) leftOut.add(entry.change);
      if (leftOut.size - before < group.entries.length) {
        sections.add(group.section);
        some.add(group);
      }
    }
    // Where a whole chunk is left out, its changes need not be touched.
    waiting.clear();
    for (const group of grouped()) {
      if (group.parent !== group.section) setClass(group.parent, 'gone', !some.has(group));
    }
    for (const section of document.querySelectorAll('main section[id]')) {
      setClass(section, 'without', query !== '' && !sections.has(section));
    }
    some.forEach((group) => (onScreen.has(group.parent) ? apply(group) : waiting.add(group)));
    applySome();
    count.textContent = `${changes.length - leftOut.size} of ${changes.length} changes`;
    none.hidden = leftOut.size < changes.length || changes.length === 0;
    followFilter(query !== '', sections);
  };
  // A chunk comes onto the screen, or leaves it.
  const onSight = (event) => {
    if (event.skipped) onScreen.delete(event.target);
    else onScreen.add(event.target);
    const group = groupOf.get(event.target);
    if (!event.skipped && waiting.has(group)) apply(group);
  };
  const REMEMBERED_AFTER = 250;
  let remembering = 0;
  const remember = () => {
    clearTimeout(remembering);
    remembering = setTimeout(() => {
      const query = input.value.trim();
      try {
        history.replaceState(null, '', query === '' ? '#' : `#q=${encodeURIComponent(query)}`);
      } catch {
        // Where the address cannot be changed, there is no link to this state.
      }
    }, REMEMBERED_AFTER);
  };

  // The fragment: a filter, or a change that a link names.

  const show = (row) => {
    if (!membersOf(row).some(isShown)) {
      input.value = '';
      filter();
    }
    applyAll();
    const around = groupAround(row);
    if (around) around.open = true;
    row.open = true;
    row.firstElementChild.focus();
  };
  const follow = () => {
    const fragment = location.hash.slice(1);
    if (fragment.startsWith('q=')) {
      try {
        input.value = decodeURIComponent(fragment.slice(2));
      } catch {
        input.value = '';
      }
      filter();
      return;
    }
    const target = document.getElementById(fragment);
    if (target?.dataset.kind) show(target);
  };

  // Viewed: a mark holds as long as the change is the same.

  const viewedKey = `tfview viewed: ${document.title}`;
  const viewed = new Map(stored(viewedKey, []));
  const fingerprint = (change) => {
    let hash = 0;
    const text = Array.from(change.querySelectorAll('pre'), (pre) => pre.textContent).join('');
    for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
    return hash;
  };
  const setViewed = (change, isViewed) => {
    change.classList.toggle('viewed', isViewed);
    change.querySelector('.actions button')?.setAttribute('aria-pressed', String(isViewed));
  };
  const showProgress = () => {
    const number = changes.filter((change) => change.classList.contains('viewed')).length;
    progress.textContent = number === 0 ? '' : `${number} of ${changes.length} viewed`;
  };
  const isAllViewed = (group) => membersOf(group).every((change) => change.classList.contains('viewed'));
  // Of a group, all that are shown are marked.
  const toggleViewed = (row) => {
    const isViewed = !row.classList.contains('viewed');
    for (const change of membersOf(row).filter(isShown)) {
      const key = `${change.dataset.kind} ${addressOf(change)}`;
      if (isViewed) viewed.set(key, fingerprint(change));
      else viewed.delete(key);
      setViewed(change, isViewed);
      if (change !== row) change.open = false;
    }
    const around = isGroup(row) ? row : groupAround(row);
    if (around) setViewed(around, isAllViewed(around));
    row.open = !isViewed;
    showProgress();
    store(viewedKey, Array.from(viewed));
  };
  const restoreViewed = () => {
    if (viewed.size === 0) return;
    const around = new Set();
    for (const change of changes) {
      const mark = viewed.get(`${change.dataset.kind} ${addressOf(change)}`);
      if (mark !== undefined && mark === fingerprint(change)) {
        setViewed(change, true);
        change.open = false;
        around.add(groupAround(change));
      }
    }
    for (const group of around) {
      if (group && isAllViewed(group)) {
        setViewed(group, true);
        group.open = false;
      }
    }
    showProgress();
  };

  // Words: what differs between two texts.

  const LONGEST = 400;
  const wordsOf = (text) => text.match(/\w+|\s+|[^\w\s]/gu) ?? [];
  const common = (old, now) => {
    const lengths = Array.from({ length: old.length + 1 }, () => new Uint16Array(now.length + 1));
    for (let i = old.length - 1; i >= 0; i -= 1) {
      for (let j = now.length - 1; j >= 0; j -= 1) {
        lengths[i][j] = old[i] === now[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
      }
    }
    return lengths;
  };
  // Both texts as pieces: [text, whether it differs].
  const compare = (before, after) => {
    const [old, now] = [wordsOf(before), wordsOf(after)];
    if (old.length > LONGEST || now.length > LONGEST) return [[[before, true]], [[after, true]]];
    const lengths = common(old, now);
    const sides = [[], []];
    const push = (side, text, differs) => {
      const last = side.at(-1);
      if (last && last[1] === differs) last[0] += text;
      else side.push([text, differs]);
    };
    let [i, j] = [0, 0];
    while (i < old.length || j < now.length) {
      if (i < old.length && j < now.length && old[i] === now[j]) {
        push(sides[0], old[i++], false);
        push(sides[1], now[j++], false);
      } else if (j >= now.length || (i < old.length && lengths[i + 1][j] >= lengths[i][j + 1])) {
        push(sides[0], old[i++], true);
      } else {
        push(sides[1], now[j++], true);
      }
    }
    return sides;
  };
  const marked = (pieces, className) =>
    pieces.map(([text, differs]) => (differs ? make('mark', { className }, text) : text));
  const CHANGE = /^(.*? = |\s*~ )?("(?:[^"\\]|\\.)*")( -> )("(?:[^"\\]|\\.)*")/s;
  const markChange = (line) => {
    const text = line.firstChild;
    const found = text?.nodeType === Node.TEXT_NODE && CHANGE.exec(text.data);
    if (!found) return;
    const [whole, start = '', before, arrow, after] = found;
    const [old, now] = compare(before, after);
    text.replaceWith(start, ...marked(old, 'old'), arrow, ...marked(now, ''), text.data.slice(whole.length));
  };
  const content = (line) => /^(\s*[-+] )(.*)$/s.exec(line.textContent);
  const markPair = (removed, added) => {
    const [old, now] = [content(removed), content(added)];
    if (!old || !now || removed.children.length > 0 || added.children.length > 0) return;
    const [before, after] = compare(old[2], now[2]);
    if (!before.some(([, differs]) => !differs)) return;
    removed.replaceChildren(old[1], ...marked(before, 'old'));
    added.replaceChildren(now[1], ...marked(after, ''));
  };
  // Lines that are removed, and as many that are added in their place.
  const pairs = (pre) => {
    const found = [];
    let [removed, added] = [[], []];
    const end = () => {
      if (removed.length === added.length) removed.forEach((line, at) => found.push([line, added[at]]));
      [removed, added] = [[], []];
    };
    for (const node of pre.childNodes) {
      if (node.nodeType === Node.TEXT_NODE && node.data === '\n') continue;
      const kind = node.className;
      if (kind !== 'a' && kind !== 'd') end();
      else if (kind === 'd') {
        if (added.length > 0) end();
        removed.push(node);
      } else added.push(node);
    }
    end();
    return found;
  };

  // The tool's text: one switch for all, which the page remembers.

  const toolText = (change) => change.querySelector('.tool > pre') ?? change.querySelector('pre:not(.lines)');
  const toolKey = 'tfview tool text';
  const toolSwitch = make('input', { type: 'checkbox', checked: stored(toolKey, false) });
  const hasLines = (tool) => tool.parentElement.querySelector(':scope > .lines') !== null;
  const applyTool = (row) => {
    for (const tool of row.querySelectorAll(':scope > .tool')) {
      if (hasLines(tool) && tool.open !== toolSwitch.checked) tool.open = toolSwitch.checked;
    }
  };
  const applyTools = () => rows.filter((row) => row.open).forEach(applyTool);

  // Two columns: what was and what will be.

  const linesOf = (pre) => {
    const lines = [];
    let line = [];
    for (const node of pre.childNodes) {
      const isText = node.nodeType === Node.TEXT_NODE;
      const parts = isText ? node.data.split('\n') : [node];
      parts.forEach((part, at) => {
        if (at > 0) {
          lines.push(line);
          line = [];
        }
        if (part !== '') line.push(isText ? document.createTextNode(part) : part.cloneNode(true));
      });
    }
    return lines;
  };
  const columns = (pre) => {
    const body = make('tbody', {});
    let [left, right] = [[], []];
    const flush = () => {
      for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
        const row = make('tr', {});
        row.append(make('td', {}, ...(left[at] ?? [])), make('td', {}, ...(right[at] ?? [])));
        body.append(row);
      }
      [left, right] = [[], []];
    };
    for (const line of linesOf(pre)) {
      const kind = line[0]?.className;
      if (kind === 'd') left.push(line);
      else if (kind === 'a') right.push(line);
      else {
        flush();
        body.append(make('tr', {}, make('td', {}, ...line), make('td', {}, ...line.map((node) => node.cloneNode(true)))));
      }
    }
    flush();
    const heads = ['Before', 'After'].map((text) => make('th', { scope: 'col' }, text));
    return make('table', { className: 'sides' }, make('thead', {}, make('tr', {}, ...heads)), body);
  };
  const toggleColumns = (change, control) => {
    const pre = toolText(change);
    const table = change.querySelector('.sides');
    pre.parentElement.open = true;
    if (table) table.remove();
    else pre.after(columns(pre));
    pre.hidden = !table;
    control.setAttribute('aria-pressed', String(!table));
  };

  // What can be done with one change: made when it is first looked at.

  const copy = async (text, control) => {
    const label = control.textContent;
    try {
      await navigator.clipboard.writeText(text);
      control.textContent = 'Copied';
    } catch {
      control.textContent = 'Copying is not allowed here';
    }
    setTimeout(() => {
      control.textContent = label;
    }, 1500);
  };
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const prepared = new WeakSet();
  const prepare = (change) => {
    if (prepared.has(change) || !change.open) return;
    prepared.add(change);
    if (isGroup(change)) return;
    const address = addressOf(change);
    const tools = make('div', { className: 'actions' });
    const view = button('Viewed', () => toggleViewed(change));
    view.setAttribute('aria-pressed', String(change.classList.contains('viewed')));
    tools.append(view, button('Copy address', (control) => copy(address, control)));
    tools.append(button('Copy -target', (control) => copy(`-target=${quoted(address)}`, control)));
    const pre = toolText(change);
    if (pre) {
      pre.querySelectorAll('.c').forEach(markChange);
      const found = pairs(pre);
      found.forEach(([removed, added]) => markPair(removed, added));
      if (found.length > 0) {
        const sides = button('Side by side', (control) => toggleColumns(change, control));
        sides.setAttribute('aria-pressed', 'false');
        tools.append(sides);
      }
    }
    // Beside the switch of the tool's text, or at the end.
    const tool = change.querySelector(':scope > .tool');
    if (tool) tool.before(tools);
    else change.append(tools);
  };
  const prepareAround = (event) => {
    const change = event.target.closest?.('details[data-kind]');
    if (change) prepare(change);
  };

  // Keys: those of `tfview browse`, where it has the command too.

  const keysKey = 'tfview keys';
  const keySwitch = make('input', { type: 'checkbox', checked: stored(keysKey, true) });
  const current = () => document.activeElement?.closest?.('details[data-kind]');
  const isGrave = (change) => ['destroy', 'replace'].includes(change.dataset.kind);
  const isNotable = (change) => isGrave(change) || Boolean(change.dataset.findings);
  const move = (step, wanted) => {
    applyAll();
    const isThere = (row) => membersOf(row).some(isShown) && groupAround(row)?.open !== false;
    const shown = rows.filter(isThere);
    const start = shown.indexOf(current());
    let at = start < 0 && step < 0 ? shown.length - 1 : start + step;
    while (at >= 0 && at < shown.length && !wanted(shown[at])) at += step;
    const change = shown[at];
    if (change) {
      change.firstElementChild.focus({ preventScroll: true });
      change.scrollIntoView({ block: 'nearest' });
    }
  };
  const openAll = (isOpen) => {
    applyAll();
    for (const row of rows) if (row.open !== isOpen && (isGroup(row) || isShown(row))) row.open = isOpen;
  };
  const toggleAll = () => openAll(rows.some((row) => !row.open && (isGroup(row) || isShown(row))));
  const help = make('div', { className: 'help', hidden: true });
  const helpButton = button('Help', () => toggleHelp());
  const toggleHelp = () => {
    help.hidden = !help.hidden;
    helpButton.setAttribute('aria-expanded', String(!help.hidden));
  };
  const any = () => true;
  const KEYS = {
    j: ['next change', () => move(1, any)],
    k: ['previous change', () => move(-1, any)],
    f: ['next one that is destroyed, replaced or has a finding', () => move(1, isNotable)],
    F: ['previous one of these', () => move(-1, isNotable)],
    m: ['viewed, or not', () => current() && toggleViewed(current())],
    '*': ['open all, or close all', () => toggleAll()],
    '/': ['to the filter', () => input.focus()],
    '?': ['this help', () => toggleHelp()],
  };
  const onKey = (event) => {
    if (event.key === 'Escape' && event.target === input) {
      input.value = '';
      filter();
      remember();
      return;
    }
    const isTyping = event.target.closest?.('input') && event.target.type !== 'checkbox';
    if (!keySwitch.checked || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const key = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : null;
    if (key) {
      event.preventDefault();
      key[1]();
    }
  };

  // The bar

  const build = () => {
    const list = make('dl', {});
    const add = (term, text) => list.append(make('dt', {}, term), make('dd', {}, text));
    for (const [key, [text]] of Object.entries(KEYS)) add(key, text);
    add('Enter', 'opens and closes the change');
    add('word', 'filters by address, type, attribute and value');
    add('a:destroy', 'by action: destroy, replace, update, create, read, …');
    add('m:module.x', 'by module; m:root is the root module');
    add('f:data-loss', 'by finding; f:critical is a level');
    add('!word, "a b"', 'not; several words as one');
    help.append(list);
    helpButton.setAttribute('aria-expanded', 'false');
    const bar = make('div', { className: 'tools' });
    bar.setAttribute('role', 'search');
    bar.append(
      make('label', {}, 'Filter', input),
      count,
      progress,
      button('Open all', () => openAll(true)),
      button('Close all', () => openAll(false)),
      helpButton,
    );
    if (document.querySelector('.tool')) bar.append(make('label', {}, toolSwitch, ' text of the tool'));
    bar.append(make('label', {}, keySwitch, ' keys'));
    const clear = button('Clear the filter', () => {
      input.value = '';
      filter();
      remember();
      input.focus();
    });
    none.append(clear);
    const main = document.querySelector('main');
    const place = main.querySelector(':scope > .part') ?? main.querySelector(':scope > nav, :scope > section');
    if (place) place.before(bar, help, none);
    else main.prepend(bar, help, none);
    for (const span of document.querySelectorAll('.chip')) {
      const word = span.dataset.filter;
      const number = span.firstElementChild;
      const chip = button('', () => {
        const words = input.value.trim().split(/\s+/).filter((other) => other !== '');
        const left = words.filter((other) => other !== word);
        input.value = (left.length < words.length ? left : [...words, word]).join(' ');
        filter();
        remember();
      });
      chip.className = 'chip';
      chip.setAttribute('aria-pressed', 'false');
      chip.replaceChildren(...span.childNodes);
      span.replaceWith(chip);
      chips.push({ chip, number, word, whole: number.textContent });
    }
    input.addEventListener('input', () => {
      filter();
      remember();
    });
    keySwitch.addEventListener('change', () => store(keysKey, keySwitch.checked));
    document.addEventListener('keydown', onKey);
    for (const type of ['focusin', 'pointerover', 'pointerdown']) document.addEventListener(type, prepareAround);
    // A change that is opened while it has the focus; "open all" prepares none.
    document.addEventListener('toggle', (event) => {
      if (event.target === current()) prepareAround(event);
      if (event.target.dataset?.kind && event.target.open) applyTool(event.target);
    }, true);
    toolSwitch.addEventListener('change', () => {
      store(toolKey, toolSwitch.checked);
      applyTools();
    });
    main.addEventListener('contentvisibilityautostatechange', onSight, true);
    window.addEventListener('beforeprint', applyAll);
    window.addEventListener('hashchange', follow);
  };

  build();
  count.textContent = `${changes.length} of ${changes.length} changes`;
  restoreViewed();
  if (toolSwitch.checked) applyTools();
  changes.filter((change) => change.open).slice(0, 50).forEach(prepare);
  follow();
  // The first word that is typed should not wait for this.
  setTimeout(grouped, 100);
})();
