import type { WalletControls } from '@postern/devnet/extension-wallets'
import { accountNumbers, addWallet, devnetWallets, missingWallets, moreWalletWords } from '../../dapp/devnet-wallets'
import { byId, make } from './dom'

/** Hidden outside development. */
export function setUpWallets(): void {
  const section = byId('wallets', HTMLElement)
  const panels = byId('wallet-panels', HTMLElement)
  const add = byId('add-wallets', HTMLElement)
  const show = (wallets: readonly WalletControls[]) => {
    section.hidden = wallets.length === 0
    const missing = missingWallets(window)
    add.hidden = missing.length === 0
    add.replaceChildren(
      ...missing.map((wallet) => {
        const button = make('button', { type: 'button', textContent: `Add ${moreWalletWords[wallet]}` })
        button.onclick = () => show(addWallet(window, wallet))
        return button
      }),
    )
    panels.replaceChildren(...wallets.map(walletPanel))
  }
  show(devnetWallets(window))
}

function walletPanel(wallet: WalletControls): HTMLElement {
  const option = (value: number | string, text: string) => make('option', { value: `${value}`, textContent: text })
  const field = (label: string, select: HTMLSelectElement) =>
    make('label', { className: 'field' }, make('span', { textContent: label }), select)

  const account = make('select', {}, ...accountNumbers.map((number) => option(number, `Account ${number}`)))
  account.onchange = () => wallet.switchAccount(Number(account.value))
  const network = make('select', { onchange: () => wallet.switchChain(network.value) })
  const autoApprove = make('input', { type: 'checkbox' })
  autoApprove.onchange = () => wallet.setAutoApprove(autoApprove.checked)
  const lock = make('button', { type: 'button' })
  lock.onclick = () => (wallet.snapshot().locked ? wallet.unlock() : wallet.lock())
  const remove = make('button', { type: 'button', className: 'bad', textContent: 'Remove' })
  remove.onclick = () => wallet.vanish()

  const panel = make('fieldset', { className: 'wallet' })
  const gone = make('p', { textContent: `${wallet.name} has been removed. Reload the page to bring it back.` })
  panel.append(
    make('legend', { textContent: wallet.name }),
    field('Account', account),
    field('Network', network),
    make('label', { className: 'check' }, autoApprove, 'Approve everything'),
    lock,
    remove,
  )
  const draw = () => {
    const state = wallet.snapshot()
    network.replaceChildren(...state.chains.map(({ id, name }) => option(id, name)))
    network.value = `${state.chain}`
    account.value = `${state.account}`
    autoApprove.checked = state.autoApprove
    lock.textContent = state.locked ? 'Unlock' : 'Lock'
    if (state.vanished) panel.replaceWith(gone)
  }
  wallet.subscribe(draw)
  draw()
  return wallet.snapshot().vanished ? gone : panel
}
