import type { Namespace } from '@postern/protocol'
import type { MobileSession, MobileWalletSnapshot, Question } from '../contract'
import { namespaceOf } from '../grants'
import { type MobileWallet, namespaceNames } from '../mobile-wallet'

type Child = Node | string
function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

const button = (text: string, onclick: () => void, className = '') =>
  element('button', { type: 'button', className, onclick }, text)

/** Returns a stop function. */
export function showWallet(main: HTMLElement, wallet: MobileWallet, relayUrl: string): () => void {
  const attempt = (deed: () => unknown) => {
    Promise.resolve()
      .then(deed)
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
  const account = element('dl')
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
    controls.replaceChildren(...accountPart(snapshot, account), ...networkPart(snapshot))
    sessions.replaceChildren(...sessionPart(snapshot.sessions))
    const [question] = snapshot.questions
    if ((question?.id ?? null) === shown) return
    shown = question?.id ?? null
    if (question === undefined) sheet.close()
    else ask(question)
  }

  function accountPart(
    { addresses, account: index, autoApprove, signsIn }: MobileWalletSnapshot,
    list: HTMLElement,
  ): Child[] {
    list.replaceChildren(
      ...[
        ['Ethereum', addresses.eip155],
        ['Solana', addresses.solana],
        ['Bitcoin', addresses.payment],
        ['Bitcoin, ordinals', addresses.ordinals],
      ].flatMap(([label = '', value = '']) => [element('dt', {}, label), element('dd', {}, value)]),
    )
    const select = element('select', {
      name: 'account',
      onchange: () => attempt(() => wallet.switchAccount(Number(select.value))),
    })
    for (let each = 0; each < 10; each++)
      select.append(element('option', { value: `${each}`, selected: each === index }, `Account ${each}`))
    return [
      element('label', { className: 'stacked' }, element('span', { className: 'quiet' }, 'Account'), select),
      list,
      checkbox('Approve everything without asking', autoApprove, (yes) => wallet.setAutoApprove(yes)),
      checkbox('Sign in while connecting', signsIn, (yes) => wallet.setSignsIn(yes)),
    ]
  }

  function checkbox(text: string, checked: boolean, set: (yes: boolean) => void) {
    const box = element('input', { type: 'checkbox', checked, onchange: () => set(box.checked) })
    return element('label', {}, box, text)
  }

  function networkPart({ networks, granted, active }: MobileWalletSnapshot): Child[] {
    const grants = networks.map(({ id, name }) =>
      checkbox(name, granted.includes(id), (yes) =>
        wallet.grant(networks.map((each) => each.id).filter((each) => (each === id ? yes : granted.includes(each)))),
      ),
    )
    const namespaces = Object.keys(namespaceNames).filter((key): key is Namespace => namespaceOf(key) === key)
    const switches = namespaces.flatMap((namespace) => {
      const own = networks.filter(({ id }) => namespaceOf(id) === namespace)
      if (own.length < 2) return []
      const select = element('select', {
        name: `network-${namespace}`,
        onchange: () => attempt(() => wallet.switchNetwork(select.value)),
      })
      for (const { id, name } of own)
        select.append(element('option', { value: id, selected: active[namespace] === id }, name))
      const label = element('span', { className: 'quiet' }, 'Network of Ethereum apps')
      return [element('label', { className: 'stacked' }, label, select)]
    })
    return [
      ...switches,
      element('fieldset', {}, element('legend', {}, 'Networks that a new connection gets'), ...grants),
    ]
  }

  function sessionPart(list: readonly MobileSession[]): Child[] {
    const heading = element('h2', {}, 'Connected sites')
    if (list.length === 0) return [heading, element('p', { className: 'quiet' }, 'None yet. Paste a link above.')]
    return [
      heading,
      ...list.map(({ topic, dapp, accounts }) =>
        element(
          'div',
          { className: 'session' },
          element('p', {}, dapp.name || dapp.url),
          element('p', { className: 'quiet' }, `${dapp.url} · ${accounts.length} accounts`),
          button('Disconnect', () => attempt(() => wallet.disconnect(topic))),
        ),
      ),
    ]
  }

  function ask({ id, dapp, title, rows, raw }: Question) {
    sheet.ariaLabel = title
    const list = element('dl')
    for (const { label, value } of rows) list.append(element('dt', {}, label), element('dd', {}, value))
    sheet.replaceChildren(
      element('p', { className: 'quiet' }, `${dapp.name} · ${dapp.url}`),
      element('h2', {}, title),
      list,
      ...(raw === undefined ? [] : [element('pre', { tabIndex: 0 }, raw)]),
      element(
        'div',
        { className: 'two' },
        button('Reject', () => attempt(() => wallet.reject(id))),
        button('Approve', () => attempt(() => wallet.approve(id)), 'main'),
      ),
    )
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
