//! Draws the browser.
//!
//! Drawing notes in `Drawn` what is drawn at which cells of the screen, so that clicks can be handled.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{
    Block, Borders, Clear, List, ListItem, ListState, Paragraph, Scrollbar, ScrollbarOrientation,
    ScrollbarState,
};

use super::app::{App, Drawn, GUTTER, Mode};
use super::keys::help;
use super::model::{Item, Scope};
use super::panel::FilterPanel;
use super::rows::Row;
use super::walk::ReferencePanel;
use crate::report::Level;
use crate::term::{Colour, Look, Role, visible};
use crate::text::one_line;

/// Draws the whole screen, and sets the size of the browser's list.
pub fn draw(app: &mut App<'_>, frame: &mut Frame<'_>) {
    let [bar, body, status] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(1),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    let has_tree = app.tree.is_useful() && body.width >= MIN_WITH_TREE;
    let tree_width = if has_tree { TREE } else { 0 };
    let [tree, list, scroll] = Layout::horizontal([
        Constraint::Length(tree_width),
        Constraint::Min(1),
        Constraint::Length(1),
    ])
    .areas(body);
    app.resize(list.width, list.height);
    app.drawn = Drawn::default();
    draw_bar(app, frame, bar);
    if has_tree {
        draw_tree(app, frame, tree);
    }
    draw_list(app, frame, list);
    draw_scrollbar(app, frame, scroll);
    draw_status(app, frame, status);
    app.drawn.has_question =
        status.height > 0 && columns(QUESTION) <= status.width && list.width > 0 && list.height > 0;
    match &app.mode {
        Mode::List | Mode::Search => {}
        Mode::Tree if has_tree => {}
        Mode::Tree => {
            frame.render_widget(Clear, body);
            draw_tree(app, frame, body);
        }
        Mode::Filter(panel) => draw_filter(app, panel, frame, body),
        Mode::References(walk) => draw_references(app, walk, frame, body),
        Mode::Help { first } => draw_help(app, *first, frame, body),
    }
}

/// The width of the screen from which on the tree is drawn to the left of the list, in columns.
const MIN_WITH_TREE: u16 = 120;
/// The width of the tree, in columns.
const TREE: u16 = 30;

/// Returns the style for a look: one of the 16 colors, which follow the background of the terminal.
fn style(look: Look, colour: bool) -> Style {
    let mut style = Style::new();
    if look.bold {
        style = style.add_modifier(Modifier::BOLD);
    }
    if look.underline {
        style = style.add_modifier(Modifier::UNDERLINED);
    }
    match look.colour.filter(|_| colour) {
        None => style,
        Some(Colour::Red) => style.fg(Color::Red),
        Some(Colour::Green) => style.fg(Color::Green),
        Some(Colour::Yellow) => style.fg(Color::Yellow),
        Some(Colour::Cyan) => style.fg(Color::Cyan),
        Some(Colour::White) => style.fg(Color::Gray),
        Some(Colour::Grey) => style.fg(Color::DarkGray),
    }
}

fn role(app: &App<'_>, role: Role) -> Style {
    style(role.look(), app.settings.colour)
}

/// Draws the bar at the top: the title, the filters, and the position of the cursor.
fn draw_bar(app: &mut App<'_>, frame: &mut Frame<'_>, area: Rect) {
    let reversed = Style::new().add_modifier(Modifier::REVERSED);
    let mut spans = vec![Span::raw(format!(" {} ", title(app)))];
    let mut column = area.x + columns(&format!(" {} ", title(app)));
    for chip in app.filter.chips() {
        let text = format!("[{} ×]", visible(&one_line(&chip.text())));
        let chip_area = Rect {
            x: column,
            width: columns(&text),
            ..area
        };
        app.drawn.chips.push((chip_area, chip.clone()));
        column = column.saturating_add(chip_area.width + 1);
        spans.push(Span::raw(format!("{text} ")));
    }
    let number = app.items.len();
    let position = format!(" {}/{number} ", app.cursor.item + 1);
    let position = match app.progress() {
        Some(progress) => format!(" {progress} {position}"),
        None => position,
    };
    let [left, right] =
        Layout::horizontal([Constraint::Min(0), Constraint::Length(columns(&position))])
            .areas(area);
    frame.render_widget(Paragraph::new(Line::from(spans)).style(reversed), left);
    frame.render_widget(Paragraph::new(position).style(reversed), right);
}

/// Returns the width of a text on the screen, in columns.
fn columns(text: &str) -> u16 {
    u16::try_from(Span::raw(text).width()).unwrap_or(u16::MAX)
}

/// Returns the title of the list that is shown.
fn title(app: &App<'_>) -> String {
    let name = match app.scope {
        Scope::Units => &*app.model.report.title,
        Scope::Part(part) => {
            let part = app.model.part(part);
            let name = part.and_then(|part| part.name.as_deref());
            name.unwrap_or(&app.model.report.title)
        }
    };
    visible(&one_line(name))
}

/// Draws the rows from the top on, and marks the one at the cursor.
fn draw_list(app: &mut App<'_>, frame: &mut Frame<'_>, area: Rect) {
    let mut drawn = std::mem::take(&mut app.drawn);
    (drawn.top, drawn.left) = (area.y, area.x);
    let mut lines = Vec::new();
    let mut next = (!app.items.is_empty()).then_some(app.top);
    while let Some(row_position) = next.filter(|_| lines.len() < usize::from(area.height)) {
        let Some(item) = app.items.get(row_position.item).copied() else {
            break;
        };
        let rows = app.rows(item);
        if let Some(row) = rows.get(row_position.row) {
            lines.push(line(app, item, row_position.row, row));
        }
        drawn.rows.push(row_position);
        next = app.after(row_position);
    }
    let cursor = drawn
        .rows
        .iter()
        .position(|row_position| *row_position == app.cursor);
    app.drawn = drawn;
    frame.render_widget(Paragraph::new(lines), area);
    if let Some(row) = cursor.and_then(|row| u16::try_from(row).ok()) {
        let cursor_area = Rect {
            y: area.y + row,
            height: 1,
            ..area
        };
        // The selected row has no colors, because not all of them are readable as backgrounds.
        let selected = Style::new()
            .fg(Color::Reset)
            .bg(Color::Reset)
            .add_modifier(Modifier::REVERSED);
        frame.buffer_mut().set_style(cursor_area, selected);
    }
}

/// Returns a row with its gutter, in which the searched text is marked.
fn line<'t>(app: &App<'_>, item: Item, number: usize, row: &Row) -> Line<'t> {
    let is_viewed = app.is_viewed(item);
    let fold = match (number, app.can_open(item), app.is_open(item)) {
        (0, true, true) => "▾",
        (0, true, false) => "▸",
        (0, false, _) if matches!(item, Item::Unit(_)) => "▸",
        _ => " ",
    };
    let viewed = if is_viewed && number == 0 { "✓" } else { " " };
    let gutter = format!("{fold}{viewed}");
    debug_assert_eq!(columns(&gutter), GUTTER);
    let mut spans = vec![Span::styled(gutter, role(app, Role::Muted))];
    let is_searched = !app.search.query.is_empty() && app.search.is_in(&row.text());
    for span in &row.spans {
        let look = if is_viewed {
            Role::Muted.look()
        } else {
            span.look
        };
        let style = style(look, app.settings.colour);
        if is_searched {
            push_marked(&mut spans, &span.text, &app.search.query, style);
        } else {
            spans.push(Span::styled(span.text.clone(), style));
        }
    }
    Line::from(spans)
}

/// Adds a text in which each occurrence of the searched one is marked. Case is ignored only in ASCII.
fn push_marked(spans: &mut Vec<Span<'_>>, text: &str, query: &str, style: Style) {
    let mut rest = text;
    // The lower case of other scripts may have another length, and then the offsets would be wrong.
    let (lower, query) = (text.to_ascii_lowercase(), query.to_ascii_lowercase());
    let places = lower.match_indices(&query).map(|(offset, _)| offset);
    let mut done = 0;
    for offset in places {
        let (before, from) = rest.split_at(offset - done);
        let (hit, after) = from.split_at(query.len());
        spans.push(Span::styled(before.to_owned(), style));
        let marked = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
        spans.push(Span::styled(hit.to_owned(), marked));
        done = offset + query.len();
        rest = after;
    }
    spans.push(Span::styled(rest.to_owned(), style));
}

/// Draws the scroll bar, unless the whole list is on the screen.
fn draw_scrollbar(app: &App<'_>, frame: &mut Frame<'_>, area: Rect) {
    let begins = app.top.item == 0 && app.top.row == 0;
    let last = app.drawn.rows.last();
    if begins && last.is_none_or(|last| app.after(*last).is_none()) {
        return;
    }
    let number = app.items.len();
    let mut state = ScrollbarState::new(number.saturating_sub(1)).position(app.top.item);
    let bar = Scrollbar::new(ScrollbarOrientation::VerticalRight)
        .begin_symbol(None)
        .end_symbol(None)
        .style(role(app, Role::Muted));
    frame.render_stateful_widget(bar, area, &mut state);
}

/// The question that `y` answers.
const QUESTION: &str = " y applies this plan, q applies nothing ";

/// Draws the last line: the text that is searched, what the last key did, or the most important keys.
fn draw_status(app: &App<'_>, frame: &mut Frame<'_>, area: Rect) {
    if matches!(app.mode, Mode::Search) {
        let typed = format!("/{}", visible(&app.search.query));
        let state = format!("  {}", app.search_state());
        frame.set_cursor_position((area.x + columns(&typed).min(area.width), area.y));
        let spans = vec![
            Span::raw(typed),
            Span::styled(state, role(app, Role::Muted)),
        ];
        frame.render_widget(Line::from(spans), area);
        return;
    }
    if !app.message.is_empty() {
        frame.render_widget(Line::raw(visible(&one_line(&app.message))), area);
        return;
    }
    if app.settings.asks {
        let question = Span::styled(
            QUESTION,
            Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD),
        );
        let rest = Span::styled("  Enter open  / search  ? help", role(app, Role::Muted));
        frame.render_widget(Line::from(vec![question, rest]), area);
        return;
    }
    let keys = match app.scope {
        Scope::Part(_) if app.model.has_units() => {
            " Enter open  ← back to the units  / search  f finding  ? help  q quit"
        }
        Scope::Part(_) => {
            " Enter open  * all  f finding  / search  c filter  t tool's text  ? help  q quit"
        }
        Scope::Units => " Enter open  f finding  / search  c filter  ? help  q quit",
    };
    frame.render_widget(Line::styled(keys, role(app, Role::Muted)), area);
}

/// Draws the tree of modules or units, and notes where it is drawn.
fn draw_tree(app: &mut App<'_>, frame: &mut Frame<'_>, area: Rect) {
    let is_chosen = matches!(app.mode, Mode::Tree);
    let items: Vec<ListItem<'_>> = app
        .tree
        .rows
        .iter()
        .map(|row| {
            let mark = match row.level {
                Level::Critical => Span::styled("!!", role(app, Role::StrongDelete)),
                Level::Warning => Span::styled(" !", role(app, Role::StrongWarning)),
                Level::Notice => Span::styled(" ·", role(app, Role::StrongNote)),
                Level::None => Span::raw("  "),
            };
            let indent = " ".repeat(row.depth);
            let name = Span::raw(format!("{indent}{} ", visible(&row.name)));
            let count = Span::styled(row.count.to_string(), role(app, Role::Muted));
            ListItem::new(Line::from(vec![mark, name, count]))
        })
        .collect();
    let selected = if is_chosen {
        Modifier::REVERSED
    } else {
        Modifier::empty()
    };
    let title = if is_chosen { " Enter shows " } else { " Tab " };
    let block = Block::new()
        .borders(Borders::RIGHT | Borders::TOP)
        .border_style(role(app, Role::Muted))
        .title(title);
    let inner = block.inner(area);
    let mut state = ListState::default().with_selected(Some(app.tree.cursor));
    let list = List::new(items)
        .block(block)
        .highlight_style(Style::new().add_modifier(selected));
    frame.render_stateful_widget(list, area, &mut state);
    app.drawn.tree = Some((inner, state.offset()));
}

/// Draws the panel of filters over the list.
fn draw_filter(app: &App<'_>, panel: &FilterPanel, frame: &mut Frame<'_>, area: Rect) {
    let items: Vec<ListItem<'_>> = panel
        .shown()
        .map(|choice| {
            let sign = if app.filter.contains(&choice.chip) {
                "[x]"
            } else {
                "[ ]"
            };
            let text = visible(&one_line(&choice.chip.text()));
            let count = Span::styled(format!("  {}", choice.count), role(app, Role::Muted));
            ListItem::new(Line::from(vec![Span::raw(format!("{sign} {text}")), count]))
        })
        .collect();
    let title = match &*panel.typed {
        "" => " Filter: type to narrow, Space chooses, Esc ends ".to_owned(),
        typed => format!(" Filter: {} ", visible(typed)),
    };
    list_popup(frame, area, &title, items, panel.cursor);
}

/// Draws the panel of references over the list.
fn draw_references(app: &App<'_>, walk: &ReferencePanel, frame: &mut Frame<'_>, area: Rect) {
    let items: Vec<ListItem<'_>> = walk
        .rows
        .iter()
        .map(|row| {
            let text = visible(&row.text);
            match row.resource {
                Some(_) => ListItem::new(format!("  {text}")),
                None => ListItem::new(Span::styled(text, role(app, Role::Strong))),
            }
        })
        .collect();
    let title = " Enter goes there, ← back, o to its change ";
    list_popup(frame, area, title, items, walk.cursor);
}

/// Draws a box in the middle of `area` with a list, in which one line is selected.
fn list_popup(
    frame: &mut Frame<'_>,
    area: Rect,
    title: &str,
    items: Vec<ListItem<'_>>,
    selected: usize,
) {
    let widest = items.iter().map(ListItem::width).max().unwrap_or(0);
    let widest = widest.max(Span::raw(title).width()).saturating_add(3);
    let width = u16::try_from(widest).unwrap_or(u16::MAX).min(area.width);
    let height = items.len().saturating_add(2);
    let height = u16::try_from(height).unwrap_or(u16::MAX).min(area.height);
    let popup_area = area.centered(Constraint::Length(width), Constraint::Length(height));
    let list = List::new(items)
        .block(Block::bordered().title(title))
        .highlight_style(Style::new().add_modifier(Modifier::REVERSED));
    let mut state = ListState::default().with_selected(Some(selected));
    frame.render_widget(Clear, popup_area);
    frame.render_stateful_widget(list, popup_area, &mut state);
}

/// Draws the help over the list, from its line `first` on.
fn draw_help(app: &App<'_>, first: u16, frame: &mut Frame<'_>, area: Rect) {
    let text: Vec<Line<'_>> = help(app.settings.asks)
        .into_iter()
        .map(|line| {
            Line::from(vec![
                Span::styled(format!(" {:<11}", line.keys), role(app, Role::Strong)),
                Span::raw(line.text),
            ])
        })
        .collect();
    popup(frame, area, " Keys ", text, first);
}

/// Draws a box in the middle of `area` with the text from its line `first` on. The box is as large as the text, but not
/// larger than `area`.
fn popup(frame: &mut Frame<'_>, area: Rect, title: &str, text: Vec<Line<'_>>, first: u16) {
    let width = text
        .iter()
        .map(Line::width)
        .max()
        .unwrap_or(0)
        .saturating_add(3);
    let width = u16::try_from(width).unwrap_or(u16::MAX).min(area.width);
    let height = u16::try_from(text.len() + 2)
        .unwrap_or(u16::MAX)
        .min(area.height);
    let popup_area = area.centered(Constraint::Length(width), Constraint::Length(height));
    frame.render_widget(Clear, popup_area);
    frame.render_widget(
        Paragraph::new(text)
            .scroll((first, 0))
            .block(Block::bordered().title(title)),
        popup_area,
    );
}
