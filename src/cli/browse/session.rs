//! Controls the terminal while a document is browsed: its modes, events and signals.
//!
//! Invariants: however a session ends (a key, an error, a panic, a signal), the terminal is left as it was before.
//! Input that was typed before the plan was drawn is discarded if the plan waits for an answer. Only a key that comes
//! alone approves a plan.

#[cfg(unix)]
use std::io::IsTerminal;
use std::io::{self, BufWriter, Stdout, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use anyhow::Context;
use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{
    self, DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
    Event,
};
use crossterm::execute;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
#[cfg(unix)]
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::editor;
use crate::browse::{self, App, Details, Effect, view};
use crate::cli::Host;
use crate::cli::processes::{self, Listening, Signal};
use crate::cli::settings::Settings;
use crate::report::Report;

/// The time after which signals are looked for again while no key is pressed.
const SIGNALS: Duration = Duration::from_millis(100);
/// The time within which further input after a key shows that the key was pasted and not typed by a person.
const PASTE: Duration = Duration::from_millis(30);
/// The maximum number of events that are handled before the screen is drawn again.
const EVENTS: usize = 256;

/// The way in which a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Ending {
    Quit,
    Approved,
    /// By a signal with this number.
    Signal(i32),
}

/// Whether the terminal is in the modes of a session. This is global because a panic must restore the terminal too.
static IS_ACTIVE: AtomicBool = AtomicBool::new(false);

/// Restores the terminal if a session uses it. This is also called when the program panics.
pub(in crate::cli) fn restore() {
    if !IS_ACTIVE.swap(false, Ordering::SeqCst) {
        return;
    }
    // If the terminal is gone, nothing can be done about it.
    let _: io::Result<()> = execute!(
        io::stdout(),
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        crossterm::cursor::Show
    );
    let _: io::Result<()> = disable_raw_mode();
    own_input(false);
}

/// Gives the session a standard input of its own, which does not block, or gives the program its input back. `crossterm`
/// goes on reading while it waits for the end of a paste, and would not return before more input comes; and if the
/// input of the program itself did not block, neither would its output, which is the same terminal. Without a terminal
/// to open, the input stays as it is.
#[cfg(unix)]
fn own_input(is_own: bool) {
    use std::os::fd::{AsFd as _, OwnedFd};
    use std::sync::OnceLock;

    use rustix::fs::{Mode, OFlags, open};

    /// The input of the session and that of the program. They stay open: `crossterm` has registered the former.
    static INPUTS: OnceLock<Option<(OwnedFd, OwnedFd)>> = OnceLock::new();

    if is_own && !io::stdin().is_terminal() {
        return;
    }
    let inputs = INPUTS.get_or_init(|| {
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let own = open("/dev/tty", flags, Mode::empty()).ok()?;
        let original = io::stdin().as_fd().try_clone_to_owned().ok()?;
        Some((own, original))
    });
    if let Some((own, original)) = inputs {
        let chosen = if is_own { own } else { original };
        // If it fails, the input stays what it is.
        let _: rustix::io::Result<()> = rustix::stdio::dup2_stdin(chosen);
    }
}

#[cfg(not(unix))]
fn own_input(_: bool) {}

/// The screen of a session, with a buffer for what is drawn.
type Screen = Terminal<CrosstermBackend<BufWriter<Stdout>>>;

/// A terminal that shows a document. Dropping it restores the terminal.
struct Session<'h> {
    /// The screen.
    screen: Screen,
    /// The input and output of the program.
    host: &'h Host,
    /// The receiver of signals.
    signals: Receiver<Signal>,
    /// Keeps signals from ending the program while the session exists.
    _listening: Listening,
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        restore();
    }
}

/// Shows a document until the reader leaves it or, if `asks`, until the reader answers whether the plan is applied. On
/// a terminal that cannot move its cursor, the document is printed as lines instead, unless `asks`.
///
/// # Errors
/// If the terminal cannot be used.
pub(in crate::cli) fn walk(
    report: &Report<'_>,
    details: &dyn Details,
    asks: bool,
    settings: &Settings,
    host: &Host,
) -> anyhow::Result<Ending> {
    if host.environment.dumb_terminal && !asks {
        return super::print(report, settings);
    }
    let look = browse::Settings {
        colour: settings.colour,
        asks,
        shows_sensitive: settings.show_sensitive,
    };
    let mut app = App::new(report, details, look);
    let mut session = Session::open(host).context("using the terminal")?;
    let ending = session.run(&mut app).context("using the terminal");
    drop(session);
    ending
}

impl<'h> Session<'h> {
    /// Starts to listen for signals, and enters the modes of a session.
    fn open(host: &'h Host) -> anyhow::Result<Self> {
        let (sender, signals) = channel();
        let listening = host
            .processes
            .listen(true, move |signal| sender.send(signal).is_ok())?;
        enter()?;
        let screen = empty_screen().inspect_err(|_| restore())?;
        Ok(Self {
            screen,
            host,
            signals,
            _listening: listening,
        })
    }

    /// Draws, waits for events and passes them to the application, until the session ends.
    fn run(&mut self, app: &mut App<'_>) -> anyhow::Result<Ending> {
        self.draw(app)?;
        if app.asks() {
            // Input that was typed before the plan was on the screen is no answer to it.
            discard_input()?;
        }
        let mut is_prepared = false;
        loop {
            if let Some(ending) = self.signalled(app)? {
                return Ok(ending);
            }
            if !is_prepared && !is_readable()? {
                is_prepared = !app.prepare();
                continue;
            }
            if is_left()? {
                return Ok(Ending::Quit);
            }
            if !has_input(SIGNALS)? {
                continue;
            }
            // Another list may be shown now, which needs preparation of its own.
            is_prepared = false;
            let mut handled = 0;
            loop {
                handled += 1;
                let event = event::read()?;
                if let Some(fault) = &self.host.environment.test_fault {
                    // This only happens in test builds: the browser must restore the terminal.
                    assert!(fault.is_empty(), "the fault of a test");
                }
                let effect = app.update(&event);
                if effect == Effect::Approve {
                    if handled == 1 && !has_input(PASTE)? {
                        return Ok(Ending::Approved);
                    }
                    discard_input()?;
                    app.say("more than one key came at once: press y alone to apply this plan");
                    break;
                }
                if let Some(ending) = self.act(effect, app)? {
                    return Ok(ending);
                }
                if handled >= EVENTS || !has_input(Duration::ZERO)? {
                    break;
                }
            }
            self.draw(app)?;
        }
    }

    /// Draws what has changed, or everything if the terminal has another size. In the latter case, `Terminal` itself
    /// would ask the terminal for its cursor, which some terminals do not answer.
    fn draw(&mut self, app: &mut App<'_>) -> io::Result<()> {
        if self.screen.get_frame().area().as_size() != self.screen.size()? {
            self.screen = empty_screen()?;
        }
        self.screen.draw(|frame| view::draw(app, frame)).map(drop)
    }

    /// Does what the application requests. Returns how the session ends, if it does.
    fn act(&mut self, effect: Effect, app: &mut App<'_>) -> anyhow::Result<Option<Ending>> {
        match effect {
            Effect::Nothing | Effect::Approve => {}
            Effect::Quit => return Ok(Some(Ending::Quit)),
            Effect::Suspend => self.outside(processes::stop)?,
            Effect::Redraw => self.screen = empty_screen()?,
            Effect::Copy(text) => {
                let mut out = io::stdout();
                execute!(out, CopyToClipboard::to_clipboard_from(text))?;
                out.flush()?;
            }
            Effect::OpenSource(source) => {
                let host = self.host;
                let mut opened = Ok(());
                self.outside(|| opened = editor::open(&source, host))?;
                if let Err(error) = opened {
                    app.say(format!("{error:#}"));
                }
            }
        }
        Ok(None)
    }

    /// Restores the terminal, does `work`, and enters the modes of the session again.
    fn outside(&mut self, work: impl FnOnce()) -> anyhow::Result<()> {
        restore();
        work();
        enter()?;
        self.screen = empty_screen()?;
        Ok(discard_input()?)
    }

    /// Handles the signals that have arrived. Returns how the session ends, if it does.
    fn signalled(&mut self, app: &mut App<'_>) -> anyhow::Result<Option<Ending>> {
        while let Ok(signal) = self.signals.try_recv() {
            match signal {
                Signal::Interrupt | Signal::Terminate => {
                    let number = self.host.processes.received().unwrap_or_default();
                    return Ok(Some(Ending::Signal(number)));
                }
                Signal::Stop => {
                    self.outside(processes::stop)?;
                    self.draw(app)?;
                }
                Signal::Resize => self.draw(app)?,
            }
        }
        Ok(None)
    }
}

/// Enters the modes of a session: raw input, the alternate screen, the mouse, and marks around pasted text.
fn enter() -> io::Result<()> {
    own_input(true);
    enable_raw_mode().inspect_err(|_| own_input(false))?;
    IS_ACTIVE.store(true, Ordering::SeqCst);
    let entered = execute!(
        io::stdout(),
        EnterAlternateScreen,
        EnableMouseCapture,
        EnableBracketedPaste
    );
    entered.inspect_err(|_| restore())
}

/// Waits for something to happen on standard input, up to `wait`, and returns what it was; `None` if a signal came
/// first.
#[cfg(unix)]
fn poll_input(input: &io::Stdin, wait: Duration) -> io::Result<Option<PollFlags>> {
    let timeout = Timespec::try_from(wait).map_err(io::Error::other)?;
    let mut inputs = [PollFd::new(input, PollFlags::IN)];
    match poll(&mut inputs, Some(&timeout)) {
        Ok(_) => Ok(Some(inputs[0].revents())),
        Err(rustix::io::Errno::INTR) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Whether [`has_input`] should be called, because there is input, a fault or a signal.
#[cfg(unix)]
fn is_readable() -> io::Result<bool> {
    let input = io::stdin();
    if !input.is_terminal() {
        return event::poll(Duration::ZERO);
    }
    Ok(poll_input(&input, Duration::ZERO)?.is_none_or(|flags| !flags.is_empty()))
}

#[cfg(not(unix))]
fn is_readable() -> io::Result<bool> {
    event::poll(Duration::ZERO)
}

/// Waits for input, up to `wait`, and returns whether there is any. Everything that waits for keys must do so here.
///
/// `crossterm` alone is not enough, for two reasons. It would go on reading from a closed terminal forever. And it is
/// notified of new input only once: if a key arrives together with a change of the size, it reports only the size, and
/// the key when another one is pressed.
///
/// # Errors
/// If the terminal was closed.
#[cfg(unix)]
fn has_input(wait: Duration) -> io::Result<bool> {
    let input = io::stdin();
    if !input.is_terminal() && io::stdout().is_terminal() {
        // The keys come from the controlling terminal, which `crossterm` opens by itself.
        return event::poll(wait);
    }
    // A signal may be a change of the size, which `crossterm` must see before the next key.
    let flags = poll_input(&input, wait)?.unwrap_or(PollFlags::empty());
    if flags.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
        return Err(io::Error::other("the terminal was closed"));
    }
    if event::poll(Duration::ZERO)? {
        SWALLOWED.store(0, Ordering::SeqCst);
        return Ok(true);
    }
    if !flags.contains(PollFlags::IN) {
        return Ok(false);
    }
    tell_again(&input);
    if event::poll(Duration::ZERO)? {
        SWALLOWED.store(0, Ordering::SeqCst);
        return Ok(true);
    }
    SWALLOWED.fetch_add(1, Ordering::SeqCst);
    // The input is only a part of an escape sequence.
    std::thread::sleep(wait.min(PASTE));
    Ok(false)
}

/// The number of times that input came and was no event, one after the other: `crossterm` waits for the end of a sequence.
static SWALLOWED: AtomicUsize = AtomicUsize::new(0);
/// The number of such times after which a sequence counts as one without an end. A paste may come in two parts.
const WITHOUT_END: usize = 2;

/// Whether the reader leaves while `crossterm` waits for the end of a paste that does not come. It takes every key for a
/// part of the paste then, so the keys that leave are read here. While input comes without a pause, it is a paste.
#[cfg(unix)]
fn is_left() -> io::Result<bool> {
    use std::io::Read as _;

    let input = io::stdin();
    if SWALLOWED.load(Ordering::SeqCst) < WITHOUT_END || !input.is_terminal() {
        return Ok(false);
    }
    let flags = poll_input(&input, SIGNALS)?.unwrap_or(PollFlags::empty());
    if !flags.contains(PollFlags::IN) {
        return Ok(false);
    }
    let mut bytes = [0; 64];
    let length = match input.lock().read(&mut bytes) {
        Ok(length) => length,
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
        Err(error) => return Err(error),
    };
    // Ctrl-C, Ctrl-D, Esc and q: alone, and not in a text.
    Ok(matches!(
        bytes.get(..length),
        Some([0x03 | 0x04 | 0x1b | b'q'])
    ))
}

#[cfg(not(unix))]
fn is_left() -> io::Result<bool> {
    Ok(false)
}

/// Notifies those who wait for input again: setting the modes of a terminal does so, even if they stay the same.
#[cfg(unix)]
fn tell_again(terminal: &io::Stdin) {
    use nix::sys::termios::{SetArg, tcgetattr, tcsetattr};

    // If it fails, the key is reported with the next one.
    let _: nix::Result<()> =
        tcgetattr(terminal).and_then(|modes| tcsetattr(terminal, SetArg::TCSANOW, &modes));
}

#[cfg(not(unix))]
fn has_input(wait: Duration) -> io::Result<bool> {
    event::poll(wait)
}

/// Clears the terminal, and returns a screen without any memory of what was drawn.
fn empty_screen() -> io::Result<Screen> {
    execute!(io::stdout(), Clear(ClearType::All))?;
    Terminal::new(CrosstermBackend::new(BufWriter::new(io::stdout())))
}

/// Discards the input that has arrived.
fn discard_input() -> io::Result<()> {
    while has_input(Duration::ZERO)? {
        let _: Event = event::read()?;
    }
    Ok(())
}
