/** Checked against the chain: an injected wallet and a phone, hostile data, and disabled features. */
import type { Page } from '@playwright/test'
import { deployHostileTokens, hostileName, poisonHistory } from '@postern/devnet'
import { type Address, formatUnits, parseEther, toHex } from 'viem'
import { bothChains, devnetWallet } from './support/dapp'
import { newEvmAddress } from './support/embedded'
import { connectPhone, receivedBy } from './support/mobile-wallet'
import { addressOf, dollars, evm } from './support/money'
import {
  approve,
  card,
  chooseWallet,
  connect,
  inDapp,
  openConnect,
  openModal,
  press,
  request,
  textOf,
} from './support/postern'
import { expect, test } from './support/test'

const alice = 0

const list = (page: Page) => card(page).getByRole('tabpanel')
const tab = (page: Page, name: string) => card(page).getByRole('tab', { name, exact: true })

function written(units: bigint, decimals: number, places = 2): string {
  const [whole = '0', fraction = ''] = formatUnits(units, decimals).split('.')
  return `${BigInt(whole).toLocaleString('en')}.${fraction.slice(0, places).padEnd(places, '0')}`
}

/** Any address, signs nothing; `answers` are JSON by method. */
function lookingWallet(address: Address, answers: Readonly<Record<string, unknown>> = {}): string {
  const known = {
    eth_requestAccounts: [address],
    eth_accounts: [address],
    eth_chainId: '0x7a69',
    wallet_switchEthereumChain: null,
    ...answers,
  }
  return `<script>
const known = ${JSON.stringify(known).replaceAll('<', '\\u003c')}
window.asked = []
const provider = {
  async request({ method, params }) {
    window.asked.push({ method, params })
    if (!(method in known)) throw Object.assign(new Error('No such method'), { code: -32601 })
    return known[method]
  },
  on() {}, removeListener() {},
}
const info = { uuid: crypto.randomUUID(), name: 'Looking Glass', rdns: 'example.looking-glass',
  icon: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E' }
const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
addEventListener('eip6963:requestProvider', announce)
announce()
</script>`
}

async function look(page: Page): Promise<void> {
  await openConnect(page)
  await chooseWallet(page, 'Looking Glass')
  await expect(card(page)).toBeHidden()
  await openAccount(page)
}

async function openAccount(page: Page): Promise<void> {
  await openModal(page)
  await expect(card(page, 'Account')).toBeVisible()
}

test('@main @money an injected wallet: name and picture, tokens as on the chain, collectibles with details (spec §7)', async ({
  page,
  visit,
}) => {
  await visit({ wallets: [devnetWallet(alice)] })
  await connect(page)
  await openAccount(page)

  await test.step('shows alice.eth with her picture, and copies the address (spec §1, §7)', async () => {
    await expect(card(page).getByRole('button', { name: new RegExp(`Address ${addressOf(alice)}`) })).toContainText(
      'alice.eth',
    )
    await expect(card(page).locator('img[src^="data:image/png"]').first()).toBeVisible()
  })

  await test.step('shows every token as on the chain, and 0.00 for the value of test networks (spec §1)', async () => {
    const owner = addressOf(alice)
    const ether = await evm.getBalance({ address: owner })
    await expect(list(page)).toContainText(`${written(ether, 18)} ETH`)
    await expect(list(page)).toContainText(`Devnet Dollar${written(await dollars(owner), 6)} DUSD`)
    await expect(list(page)).toContainText('Devnet Gem')
    await expect(card(page)).toContainText('Balance 0.00')
  })

  await test.step('shows both networks together, each token with its own', async () => {
    await press(card(page).getByRole('button', { name: 'All networks' }))
    await expect(list(page)).toContainText('Postern Devnet Two')
    await press(card(page).getByRole('button', { name: 'Only this network' }))
    await expect(list(page)).not.toContainText('Postern Devnet Two')
  })

  await test.step('shows collectibles, each with its details', async () => {
    await press(tab(page, 'NFTs'))
    await press(
      list(page)
        .getByRole('button', { name: /Devnet Collectible/ })
        .first(),
    )
    await expect(card(page, 'Collectible')).toContainText('Devnet Collectible')
    await expect(card(page)).toContainText('Postern Devnet')
    await expect(card(page).locator('img').first()).toHaveAttribute('src', /^\/v1\/nft-image\//)
    await expect
      .poll(() =>
        card(page)
          .locator('img')
          .first()
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBeGreaterThan(0)
    await press(card(page).getByRole('button', { name: 'Back' }))
    await expect(tab(page, 'NFTs')).toHaveAttribute('aria-selected', 'true')
  })
})

test('@money a new transaction appears in the activity, and the balance is updated', async ({ page, visit, lane }) => {
  await visit()
  await connect(page)
  await openAccount(page)
  await expect(list(page)).toContainText('ETH')
  await inDapp(page, (postern) => postern.close())

  const receiver = newEvmAddress()
  const value = toHex(parseEther('1.23456'))
  const sent = request(page, 'eth_sendTransaction', [{ from: addressOf(lane.account), to: receiver, value }])
  await approve(page)
  const hash = textOf(await sent)
  await expect
    .poll(async () => (await evm.getTransactionReceipt({ hash: toHash(hash) }).catch(() => null))?.status ?? null)
    .toBe('success')

  await openAccount(page)
  const left = await evm.getBalance({ address: addressOf(lane.account) })
  await expect(list(page)).toContainText(`${written(left, 18)} ETH`)
  await press(tab(page, 'Activity'))
  await expect(list(page)).toContainText('Today')
  const short = `${receiver.slice(0, 4)}…${receiver.slice(-6)}`
  await expect(list(page)).toContainText(new RegExp(`SentTo ${short}1\\.234 ETH`, 'i'))
})

/** Same first and last characters. */
const lookalikeOf = (address: Address): Address =>
  `0x${(address.slice(2, 8) + newEvmAddress().slice(8, -6) + address.slice(-6)).toLowerCase()}`

test('@main @money @storage transfers spoofed by third parties are not shown as the user’s own, and lead no money to them', async ({
  page,
  visit,
  lane,
  storageMode,
}) => {
  const owner = addressOf(lane.account)
  const friend = newEvmAddress()
  const lookalike = lookalikeOf(friend)
  const send = async () => {
    await inDapp(page, (postern) => postern.open({ view: 'Send' }))
    await expect(card(page, 'Send').getByRole('textbox', { name: /^Amount/ })).toBeVisible()
  }
  const recipient = card(page, 'Send').getByLabel('To', { exact: true })
  await visit()
  await connect(page)

  await test.step('the user makes a real payment', async () => {
    await send()
    await card(page)
      .getByRole('textbox', { name: /^Amount/ })
      .fill('0.015')
    await recipient.fill(friend)
    await press(card(page).getByRole('button', { name: 'Review' }))
    await expect(card(page, 'Review')).toContainText('0.015')
    const confirm = card(page).getByRole('button', { name: 'Send', exact: true })
    await expect(confirm).toBeEnabled()
    await press(confirm)
    await approve(page)
    await expect(card(page, 'Transaction')).toContainText('Confirmed')
    await press(card(page).getByRole('button', { name: 'Done' }))
    await expect(card(page, 'Account')).toBeVisible()
  })

  const { collectibleName } = await poisonHistory('http://127.0.0.1:8545', { owner, lookalike })
  await test.step('the activity shows it, and none of the spoofed transfers', async () => {
    await press(tab(page, 'Activity'))
    const to = (address: Address) => list(page).locator(`bdi[title="${address}" i]`)
    const short = `${friend.slice(0, 4)}…${friend.slice(-6)}`
    await expect(list(page)).toContainText(new RegExp(`SentTo ${short}0\\.015 ETH`, 'i'))
    await expect(list(page)).toContainText(/spam items? hidden/)
    await expect(list(page)).not.toContainText('gift.example')
    await press(list(page).getByRole('button', { name: 'Show', exact: true }))
    // The newest entry: all spoofed transfers are included.
    await expect(list(page)).toContainText(collectibleName)
    await expect(to(friend)).toHaveCount(1)
    await expect(to(lookalike)).toHaveCount(0)
    await expect(list(page)).not.toContainText('512.25')
    await press(list(page).getByRole('button', { name: 'Hide', exact: true }))
    await expect(list(page)).not.toContainText(collectibleName)
    await expect(to(friend)).toHaveCount(1)
  })

  await test.step('suggests the real recipient if the modal’s own storage knows it, and never the lookalike', async () => {
    await send()
    const recents = card(page, 'Send').getByRole('list', { name: 'Recent' }).getByRole('button')
    if (storageMode === 'denied') {
      // The page could store recipients, but is not trusted.
      await expect(recipient).toHaveValue('')
      await expect(recents).toHaveCount(0)
      return
    }
    await expect(recents).toHaveCount(1)
    await press(recents)
    await expect(recipient).toHaveValue(new RegExp(`^${friend}$`, 'i'))
    await recipient.fill(lookalike)
    await expect(card(page)).toContainText('Look-alike address.')
    await expect(card(page).getByText(`Address ${friend}`)).toBeAttached()
  })
})

const toHash = (text: string) => {
  if (!/^0x[0-9a-f]{64}$/.test(text)) throw new Error(`${text} is no hash`)
  return `0x${text.slice(2)}` as const
}

test('@main @money hostile tokens are shown as text, and load nothing', async ({ page, visit, context }) => {
  const address = newEvmAddress()
  await deployHostileTokens('http://127.0.0.1:8545', address)
  const elsewhere: string[] = []
  context.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url())
    if (protocol !== 'data:' && !/(^|\.)localhost$|^127\.0\.0\.1$/.test(hostname)) elsewhere.push(request.url())
  })
  let dialogs = 0
  page.on('dialog', (dialog) => {
    dialogs += 1
    void dialog.dismiss()
  })
  await visit({ wallets: [], head: lookingWallet(address) })
  await look(page)

  await test.step('tokens', async () => {
    await expect(list(page)).toContainText('1 spam item hidden')
    await expect(list(page)).not.toContainText(hostileName.slice(0, 20))
    await press(list(page).getByRole('button', { name: 'Show', exact: true }))
    await press(card(page).getByRole('button', { name: /^All tokens/ }))
    await expect(card(page, 'Tokens')).toBeVisible()
    await expect(card(page)).toContainText('Old Token')
    await expect(card(page)).toContainText(hostileName.slice(0, 20))
    await expect(card(page)).not.toContainText('No Decimals')
    expect(await card(page).textContent()).not.toMatch(/[\u202e\u200b]/)
    await press(card(page).getByRole('button', { name: 'Back' }))
  })

  await test.step('collectibles', async () => {
    await press(tab(page, 'NFTs'))
    await expect(list(page)).toContainText(/\d+ spam items hidden/)
    await press(list(page).getByRole('button', { name: 'Show', exact: true }))
    await press(card(page).getByRole('button', { name: 'All NFTs' }))
    await expect(card(page, 'NFTs')).toBeVisible()
    const odd = card(page).getByRole('button', { name: /example\.com\/AAAA/ })
    // One contains a script; the others are missing or not allowed.
    await expect(card(page).locator('img')).toHaveCount(0)
    await odd.first().scrollIntoViewIfNeeded()
    await press(odd.first())
    await expect(card(page, 'Collectible')).toContainText('<script>alert(1)</script>')
    await press(card(page).getByRole('button', { name: 'Back' }))
    await press(card(page).getByRole('button', { name: 'Back' }))
  })

  await test.step('activity', async () => {
    await press(tab(page, 'Activity'))
    await expect(list(page)).toContainText('Today')
    await expect(list(page)).toContainText(/\d+ spam items? hidden/)
    await expect(list(page)).not.toContainText('example.com')
    await press(list(page).getByRole('button', { name: 'Show', exact: true }))
    // The chain decides which are newest: look at all.
    await press(card(page).getByRole('button', { name: 'All activity' }))
    await expect(card(page, 'Activity')).toBeVisible()
    await expect(card(page)).toContainText(hostileName.slice(0, 20))
    expect(await card(page).locator('iframe, script, object').count()).toBe(0)
  })
  expect(dialogs).toBe(0)
  expect(elsewhere).toEqual([])
})

test('@main @money a token that advertises a site is hidden until it is asked for, and is no choice in Send', async ({
  page,
  visit,
}) => {
  const address = newEvmAddress()
  await deployHostileTokens('http://127.0.0.1:8545', address)
  const advertisement = hostileName.slice(0, 20)
  const copy = /Unlisted tokens.*Devnet Dollar\s*Copied name/
  await visit({ wallets: [], head: lookingWallet(address) })
  await look(page)

  await test.step('the account shows how many it hides, and marks a token that copies a listed name', async () => {
    await expect(list(page)).toContainText('1 spam item hidden')
    await expect(list(page)).toContainText(copy)
    await expect(list(page)).not.toContainText(advertisement)
  })

  await test.step('Send offers the copy in a group of its own, and the advertisement not at all', async () => {
    await inDapp(page, (postern) => postern.open({ view: 'Send' }))
    await press(card(page, 'Send').getByRole('button').filter({ hasText: 'Postern' }).first())
    await expect(card(page, 'Select token')).toContainText('1 spam item hidden')
    const choices = card(page).getByRole('list', { name: 'Tokens' })
    await expect(choices).toContainText(copy)
    await expect(choices).not.toContainText(advertisement)
  })

  await test.step('the account shows it, marked, if the user asks for it', async () => {
    await inDapp(page, (postern) => postern.close())
    await openAccount(page)
    await press(list(page).getByRole('button', { name: 'Show', exact: true }))
    await press(card(page).getByRole('button', { name: /^All tokens/ }))
    await expect(card(page, 'Tokens')).toContainText('Spam is shown')
    await expect(card(page).locator('[data-line]', { hasText: advertisement })).toContainText('Spam')
    await press(card(page).getByRole('button', { name: 'Hide', exact: true }))
    await expect(card(page)).not.toContainText(advertisement)
  })
})

test('@money disabled features are not shown, and make no requests (spec §1)', async ({ page, visit, context }) => {
  const asked: string[] = []
  context.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const features = { send: false, receive: false, swaps: false, onramp: false, history: false, analytics: false }
  await visit({ wallets: [devnetWallet(alice)], attributes: { features: JSON.stringify(features) } })
  await connect(page)
  await openAccount(page)
  await expect(list(page)).toContainText('ETH')
  await expect(card(page).getByRole('tab')).toHaveText(['Tokens', 'NFTs'])
  for (const name of ['Send', 'Receive', 'Swap', 'Buy'])
    await expect(card(page).getByRole('button', { name, exact: true })).toHaveCount(0)
  await press(tab(page, 'NFTs'))
  await expect(list(page).getByRole('button').first()).toBeVisible()
  const wanted = asked.filter((path) =>
    /\/(history|convert|onramp|generators|sessions|appkit)\b|analytics|\/e$/.test(path),
  )
  expect(wanted).toEqual([])
  // Nor is their code fetched. The enabled views prove how files are named.
  const files = asked.flatMap((path) => /^\/assets\/([A-Za-z]+)-.+\.js$/.exec(path)?.[1] ?? [])
  expect(files).toEqual(expect.arrayContaining(['FirstNfts']))
  expect(files.filter((name) => /^(Send|Receive|Swap|OnRamp|Pay|Activity|FirstActivity|analytics)/.test(name))).toEqual(
    [],
  )
})

test('@money a phone wallet is not asked for what the gateway knows', async ({ page, visit, phone }) => {
  const wallet = await phone({ account: alice })
  await visit({ projectId: 'mobile', networks: bothChains, wallets: [] })
  await connectPhone(page, wallet)
  await openAccount(page)
  await expect(card(page)).toContainText('alice.eth')
  await expect(list(page)).toContainText('Devnet Dollar')
  await press(tab(page, 'NFTs'))
  await expect(list(page)).toContainText('Devnet Collectible')
  await press(tab(page, 'Activity'))
  await expect(list(page)).toContainText('Minted')
  expect(await receivedBy(wallet)).toEqual([])
})
