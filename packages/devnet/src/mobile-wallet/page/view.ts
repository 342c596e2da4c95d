import type { MobileWallet } from '../mobile-wallet'
import { element } from './elements'
import { accountSection, networkSection, questionSheet, sessionSection } from './sections'

/** Returns a stop function. */
export function showWallet(main: HTMLElement, wallet: MobileWallet, relayUrl: string): () => void {
  const attempt = (action: () => unknown) => {
    Promise.resolve()
      .then(action)
      .catch((cause: unknown) => say(cause instanceof Error ? cause.message : String(cause)))
  }
  const problem = element('p', { className: 'problem', role: 'alert' })
  const say = (text: string) => {
    problem.textContent = text
  }

  const uri = element('input', { type: 'text', name: 'uri', placeholder: 'wc:…', autocomplete: 'off', required: true })
  const connect = element(
    'form',
    {
      className: 'connect',
      onsubmit: (event) => {
        event.preventDefault()
        attempt(async () => {
          await wallet.pair(uri.value)
          uri.value = ''
        })
      },
    },
    element('label', { className: 'stacked' }, element('span', { className: 'quiet' }, 'Link or QR text'), uri),
    element('button', { type: 'submit', className: 'main' }, 'Connect'),
  )
  const actions = { wallet, attempt }
  const controls = element('section', { ariaLabel: 'Account and networks' })
  const sessions = element('section', { ariaLabel: 'Connected sites' })
  const sheet = element('dialog')
  main.replaceChildren(
    element(
      'header',
      {},
      element('h1', {}, 'Devnet Mobile Wallet'),
      element('span', { className: 'quiet' }, 'Play money'),
    ),
    problem,
    element('section', { ariaLabel: 'Connect' }, connect),
    controls,
    sessions,
    element('p', { className: 'quiet' }, `Relay ${relayUrl}`),
    sheet,
  )
  main.removeAttribute('aria-busy')

  let shown: number | null = null
  function render() {
    const snapshot = wallet.snapshot()
    say(snapshot.problem ?? '')
    controls.replaceChildren(...accountSection(snapshot, actions), ...networkSection(snapshot, actions))
    sessions.replaceChildren(...sessionSection(snapshot.sessions, actions))
    const [question] = snapshot.questions
    if ((question?.id ?? null) === shown) return
    shown = question?.id ?? null
    if (question === undefined) return sheet.close()
    sheet.ariaLabel = question.title
    sheet.replaceChildren(...questionSheet(question, actions))
    if (!sheet.open) sheet.showModal()
  }

  // Rejects, like a swipe away on a phone.
  sheet.addEventListener('cancel', (event) => {
    event.preventDefault()
    const id = shown
    if (id !== null) attempt(() => wallet.reject(id))
  })

  render()
  return wallet.subscribe(render)
}
