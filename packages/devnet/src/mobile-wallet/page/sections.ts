/** The parts of the wallet's page, each drawn from one snapshot. */

import { namespaces } from '@postern/protocol/namespaces'
import type { MobileSession, MobileWalletSnapshot, Question } from '../contract'
import { namespaceOf } from '../grants'
import type { MobileWallet } from '../mobile-wallet'
import { button, type Child, checkbox, element } from './elements'

/** Actions of the owner. `attempt` shows the error of a failed one. */
export type Actions = { readonly wallet: MobileWallet; readonly attempt: (action: () => unknown) => void }

export function accountSection(
  { addresses, account: index, autoApprove, signsIn }: MobileWalletSnapshot,
  { wallet, attempt }: Actions,
): Child[] {
  const list = element('dl')
  list.append(
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

export function networkSection(
  { networks, granted, active }: MobileWalletSnapshot,
  { wallet, attempt }: Actions,
): Child[] {
  const grants = networks.map(({ id, name }) =>
    checkbox(name, granted.includes(id), (yes) =>
      wallet.grant(networks.map((each) => each.id).filter((each) => (each === id ? yes : granted.includes(each)))),
    ),
  )
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
  return [...switches, element('fieldset', {}, element('legend', {}, 'Networks that a new connection gets'), ...grants)]
}

export function sessionSection(list: readonly MobileSession[], { wallet, attempt }: Actions): Child[] {
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

export function questionSheet({ id, dapp, title, rows, raw }: Question, { wallet, attempt }: Actions): Child[] {
  const list = element('dl')
  for (const { label, value } of rows) list.append(element('dt', {}, label), element('dd', {}, value))
  return [
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
  ]
}
