/** `postern.js` sets `window.Postern`; the rest is the page's own script. */
import type { Network, Postern } from '@postern/client'
import { type AccountView, accountView, shortAddress } from '../../dapp/account'
import {
  addNetwork,
  diagnose,
  disconnect,
  readBalance,
  sendTransaction,
  signMessage,
  signTypedData,
  switchNetwork,
} from '../../dapp/actions'
import { neighbours } from '../../dapp/config'
import { statusLine } from '../../dapp/connections'
import '@fontsource-variable/inter/wght.css'
import '../../dapp/demo.css'
import { watchProvider } from '../../dapp/provider-log'
import { setUpConnections } from './connections'
import { byId, make } from './dom'
import { setUpLook } from './look'
import { outcomeBox } from './outcome-box'
import { withSignIn } from './sign-in'
import { setUpWallets } from './wallets'

const themeModal = setUpLook()
setUpWallets()
const to = byId('to', HTMLInputElement)
to.value = neighbours[0].address
byId('neighbours', HTMLDataListElement).append(
  ...neighbours.map(({ name, address }) => make('option', { value: address, textContent: name })),
)
if (window.Postern !== undefined) start(withSignIn(window.Postern))
else
  window.addEventListener('postern:ready', () => window.Postern !== undefined && start(withSignIn(window.Postern)), {
    once: true,
  })

function start(postern: Postern): void {
  themeModal(postern)
  const account = () => accountView(postern.getSnapshot())
  const wallet = () => ({ provider: postern.eip155, account: account() })
  const onClick = (id: string, act: () => void) => {
    byId(id, HTMLButtonElement).onclick = act
  }

  const connection = outcomeBox('connection-outcome')
  onClick('disconnect', () => connection('Disconnecting', disconnect(postern)))
  const sign = outcomeBox('sign-outcome')
  const message = byId('message', HTMLTextAreaElement)
  onClick('sign-message', () => sign('Look at your wallet', signMessage(wallet(), message.value)))
  onClick('sign-typed-data', () => sign('Look at your wallet', signTypedData(wallet())))
  const send = outcomeBox('send-outcome')
  const amount = byId('amount', HTMLInputElement)
  onClick('send', () => send('Look at your wallet', sendTransaction(wallet(), to.value.trim(), amount.value.trim())))
  const network = outcomeBox('network-outcome')
  onClick('add-network', () => network('Look at your wallet', addNetwork(wallet())))
  const check = outcomeBox('diagnose-outcome')
  onClick('diagnose', () => check('Checking', diagnose(postern)))

  const drawConnections = setUpConnections(postern)
  const drawBalance = balanceLine(postern)
  onClick('refresh', () => drawBalance(account(), true))
  const draw = () => {
    drawAccount(account(), statusLine(postern.getSnapshot()))
    drawConnections()
    drawBalance(account(), false)
    drawNetworks(postern.getSnapshot().networks, account(), (id, name) =>
      network('Switching', switchNetwork(postern, id, name)),
    )
  }
  postern.subscribe(draw)
  draw()
  watchProvider(postern.eip155, () => new Date(), drawLog)
}

function drawAccount({ status, address, wallet, network, networkId }: AccountView, words: string): void {
  const text = (id: string, value: string | null | undefined) => {
    byId(id, HTMLElement).textContent = value ?? '–'
  }
  byId('status', HTMLElement).dataset.status = status
  text('status', words)
  text('account', address === null ? null : shortAddress(address))
  byId('account', HTMLElement).title = address ?? ''
  text('wallet', wallet)
  text('network', network?.name ?? networkId)
  const connected = status === 'connected'
  for (const part of document.querySelectorAll<HTMLElement>('[data-when]'))
    part.hidden = part.dataset.when === 'here' ? status === 'disconnected' : !connected
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-needs]'))
    button.disabled = button.dataset.needs === 'wallet' && !connected
}

function balanceLine(postern: Postern): (account: AccountView, again: boolean) => void {
  let shown = ''
  return (account, again) => {
    const wanted = account.status === 'connected' ? `${account.networkId}:${account.address}` : ''
    if (wanted === shown && !again) return
    shown = wanted
    byId('balance', HTMLElement).textContent = '–'
    if (wanted === '') return
    void readBalance({ provider: postern.eip155, account }).then((text) => {
      if (wanted === shown) byId('balance', HTMLElement).textContent = text ?? '–'
    })
  }
}

function drawNetworks(
  networks: readonly Network[],
  account: AccountView,
  choose: (id: string, name: string) => void,
): void {
  byId('no-networks', HTMLElement).hidden = networks.length > 0
  const list = byId('networks', HTMLElement)
  // Reuse the list, so that the pressed button keeps its focus.
  if (list.dataset.shown !== JSON.stringify(networks)) {
    list.dataset.shown = JSON.stringify(networks)
    list.replaceChildren(
      ...networks.map(({ caipNetworkId, name }) => {
        const button = make('button', { type: 'button', textContent: name })
        button.onclick = () => choose(caipNetworkId, name)
        button.dataset.network = caipNetworkId
        return make('li', {}, button)
      }),
    )
  }
  for (const button of list.querySelectorAll('button'))
    button.ariaPressed = `${button.dataset.network === account.networkId}`
}

function drawLog(entries: Parameters<Parameters<typeof watchProvider>[2]>[0]): void {
  byId('no-events', HTMLElement).hidden = entries.length > 0
  byId('log', HTMLElement).replaceChildren(
    ...entries.map(({ at, event, data }) =>
      make(
        'li',
        {},
        make('time', { textContent: at }),
        make('b', { textContent: event }),
        make('span', { textContent: data, title: data }),
      ),
    ),
  )
}
