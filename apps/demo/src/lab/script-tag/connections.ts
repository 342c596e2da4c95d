import type { Postern } from '@postern/client'
import { shortAddress, statusWords } from '../../dapp/account'
import { disconnect } from '../../dapp/actions'
import { type NamespaceCard, namespaceCards } from '../../dapp/cards'
import {
  type ConnectionView,
  connectionView,
  connectNamespace,
  disconnectNamespace,
  mainAddress,
  namespaceBalance,
  namespaces,
  namespaceWords,
} from '../../dapp/connections'
import { byId, make } from './dom'
import { outcomeBox } from './outcome-box'

export function setUpConnections(postern: Postern): () => void {
  const box = outcomeBox('connections-outcome')
  const lines = namespaces.map((namespace) => {
    const line = connectionLine(postern, namespaceWords[namespace])
    line.item.dataset.namespace = namespace
    line.button.onclick = () =>
      connectionView(postern.getSnapshot(), namespace).status === 'connected'
        ? box('Disconnecting', disconnectNamespace(postern, namespace))
        : box('Waiting for you to choose a wallet', connectNamespace(postern, namespace))
    return { namespace, ...line }
  })
  byId('connections', HTMLElement).replaceChildren(...lines.map(({ item }) => item))
  const all = byId('disconnect-all', HTMLButtonElement)
  all.onclick = () => box('Disconnecting', disconnect(postern))
  const cards = namespaceCards.map((card) => ({ card, buttons: fillCard(postern, card) }))

  return () => {
    const snapshot = postern.getSnapshot()
    const views = lines.map(({ namespace, draw }) => {
      const view = connectionView(snapshot, namespace)
      draw(view)
      return view
    })
    const isConnected = (namespace: string | null) =>
      views.some((view) => (namespace ?? view.namespace) === view.namespace && view.status === 'connected')
    all.hidden = views.filter(({ status }) => status === 'connected').length < 2
    for (const { card, buttons } of cards) for (const button of buttons) button.disabled = !isConnected(card.namespace)
  }
}

function connectionLine(postern: Postern, name: string) {
  const status = make('span', { className: 'status' })
  const [wallet, accounts, network, balance] = [make('span'), make('span'), make('span'), make('span')]
  const button = make('button', { type: 'button' })
  button.onpointerenter = () => postern.prewarm()
  button.onfocus = () => postern.prewarm()
  const item = make('li', {}, make('b', { textContent: name }), status, wallet, accounts, network, balance, button)
  let requested = ''

  const draw = (view: ConnectionView) => {
    const connected = view.status === 'connected'
    status.dataset.status = view.status
    status.textContent = statusWords[view.status]
    wallet.textContent = view.wallet ?? '–'
    network.textContent = view.network?.name ?? '–'
    accounts.replaceChildren(
      ...(view.accounts.length === 0 ? ['–'] : []),
      ...view.accounts.map(({ address, type }) =>
        make(
          'span',
          { className: 'address', title: address },
          `${shortAddress(address)} `,
          ...(type === 'ordinals' ? [make('small', { textContent: 'ordinals' })] : []),
        ),
      ),
    )
    button.textContent = connected ? `Disconnect ${name}` : `Connect ${name}`
    button.className = connected ? 'bad' : ''
    const wanted = `${view.status} ${view.network?.caipNetworkId} ${view.accounts.map(({ address }) => address)}`
    if (wanted === requested) return
    requested = wanted
    balance.textContent = '–'
    void namespaceBalance(postern, view.namespace, mainAddress(view), view.network).then((text) => {
      if (wanted === requested) balance.textContent = text ?? '–'
    })
  }
  return { item, button, draw }
}

function fillCard(postern: Postern, { id, title, fields, actions }: NamespaceCard): HTMLButtonElement[] {
  const section = byId(`${id}-card`, HTMLElement)
  const outcome = make('div', { className: 'outcome', id: `${id}-outcome`, role: 'status' })
  outcome.setAttribute('aria-label', `${title} result`)
  const inputs = fields.map(({ key, label, value, kind }) => {
    const input =
      kind === 'lines' ? make('textarea', { value }) : make('input', { value, spellcheck: false, autocomplete: 'off' })
    const className = kind === 'long' ? 'field long' : 'field'
    return { key, input, field: make('label', { className }, make('span', { textContent: label }), input) }
  })
  const buttons = actions.map(({ label, primary, action }) => {
    const className = primary === true ? 'primary' : ''
    const button = make('button', { type: 'button', disabled: true, textContent: label, className })
    button.onclick = () => {
      const values = Object.fromEntries(inputs.map(({ key, input }) => [key, input.value]))
      run('Look at your wallet', action(postern, values))
    }
    return button
  })
  section.replaceChildren(
    make('h2', { id: `${id}-title`, textContent: title }),
    ...inputs.map(({ field }) => field),
    make('div', { className: 'row' }, ...buttons),
    outcome,
  )
  const run = outcomeBox(`${id}-outcome`)
  return buttons
}
