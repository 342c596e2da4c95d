/** In the top layer, above the page. */
import type { Question } from '@postern/evm-wallet/question'

const style = `
:host { all: initial }
dialog {
  --surface: #fff; --surface-2: #f5f6f5; --line: rgba(16,24,20,.14); --text: #0f1512; --text-2: #55605a; --ink: #0f1512; --on-ink: #fff;
  --focus: #0d7565;
  position: fixed; inset: 24px 24px auto auto; margin: 0; box-sizing: border-box; width: min(340px, calc(100vw - 32px));
  max-height: calc(100dvh - 48px); overflow: auto; padding: 20px; border: 1px solid var(--line); border-radius: 16px;
  background: var(--surface); color: var(--text); box-shadow: 0 24px 56px -16px rgba(0,0,0,.4);
  font: 450 14px/1.45 Inter, system-ui, sans-serif;
}
dialog::backdrop { background: transparent }
@media (prefers-color-scheme: dark) {
  dialog {
    --surface: #141816; --surface-2: #222926; --line: rgba(255,255,255,.16); --text: #eef3f0; --text-2: #a6b1ab; --ink: #eef3f0;
    --on-ink: #101412; --focus: #55d3b8;
  }
}
@media (max-width: 430px) { dialog { inset: 16px 16px auto } }
p { margin: 0; color: var(--text-2); font-size: 13px; overflow-wrap: anywhere }
h2 { margin: 4px 0 16px; font-size: 18px; font-weight: 620; letter-spacing: -.01em }
dl { margin: 0 0 16px; display: grid; gap: 8px }
dt { color: var(--text-2); font-size: 13px }
dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums }
pre {
  margin: 0 0 16px; padding: 12px; max-height: 180px; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere;
  border-radius: 10px; background: var(--surface-2); font: 13px/1.5 ui-monospace, monospace;
}
footer { display: grid; grid-template-columns: 1fr 1fr; gap: 8px }
button { min-height: 44px; border: 0; border-radius: 12px; background: var(--surface-2); color: inherit; font: inherit; font-weight: 550; cursor: pointer }
button[value='yes'] { background: var(--ink); color: var(--on-ink) }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
`

/**
 * Asks questions one after the other.
 *
 * 1. Each question opens the dialog again, above any dialog that the page opened before.
 * 2. Approve means yes. Reject, Escape and removal of the dialog by the page mean no.
 * 3. If a question's signal aborts, the dialog closes and the question rejects with the signal's reason.
 */
export function createPrompt(document: Document): (question: Question, signal: AbortSignal) => Promise<boolean> {
  let last: Promise<unknown> = Promise.resolve()
  return (question, signal) => {
    const answer = last.then(() => {
      signal.throwIfAborted()
      return show(document, question, signal)
    })
    last = answer.catch(() => undefined)
    return answer
  }
}

function show(document: Document, question: Question, signal: AbortSignal): Promise<boolean> {
  const host = document.createElement('devnet-wallet-prompt')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  root.adoptedStyleSheets = [sheet]

  const element = <K extends keyof HTMLElementTagNameMap>(tag: K, text = '') => {
    const made = document.createElement(tag)
    made.textContent = text
    return made
  }
  const dialog = element('dialog')
  dialog.setAttribute('aria-label', `${question.wallet}: ${question.title}`)
  dialog.append(element('p', `${question.wallet} · ${question.origin}`), element('h2', question.title))
  if (question.rows.length > 0) {
    const list = element('dl')
    for (const { label, value } of question.rows) list.append(element('dt', label), element('dd', value))
    dialog.append(list)
  }
  if (question.raw !== undefined) {
    const raw = element('pre', question.raw)
    raw.tabIndex = 0
    dialog.append(raw)
  }
  const reject = element('button', 'Reject')
  const approve = element('button', question.approve ?? 'Approve')
  approve.value = 'yes'
  const footer = element('footer')
  footer.append(reject, approve)
  dialog.append(footer)
  root.append(dialog)

  return new Promise<boolean>((resolve, rejectAnswer) => {
    const end = () => {
      signal.removeEventListener('abort', onAbort)
      removal.disconnect()
      dialog.close()
      host.remove()
    }
    const settle = (yes: boolean) => {
      end()
      resolve(yes)
    }
    const onAbort = () => {
      end()
      rejectAnswer(signal.reason)
    }
    const removal = new MutationObserver(() => {
      if (!host.isConnected) settle(false)
    })
    signal.addEventListener('abort', onAbort, { once: true })
    approve.addEventListener('click', () => settle(true))
    reject.addEventListener('click', () => settle(false))
    dialog.addEventListener('cancel', () => settle(false))
    document.documentElement.append(host)
    removal.observe(document.documentElement, { childList: true })
    dialog.showModal()
  })
}
