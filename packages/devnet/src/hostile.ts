/** Hostile tokens, for tests of code that shows them. */
import {
  type Address,
  createPublicClient,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  http,
  maxUint256,
  padHex,
  stringToHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { devnetOddCollectible, devnetOddToken, devnetToken } from './evm/contracts.gen'
import { type Call, endow, sendAll } from './evm/send-all'
import { devnetContracts } from './networks'

/** U+202E reverses the text after it; U+200B has no width. */
const bidiOverride = '\u202e'
const invisible = '\u200b'
export const hostileName = `<img src=x onerror=alert(1)>${bidiOverride}CDSU${invisible} claim at https://example.com/${'A'.repeat(10_000)}`

const text = (value: string): Hex => encodeAbiParameters([{ type: 'string' }], [value])
const number = (value: bigint): Hex => encodeAbiParameters([{ type: 'uint256' }], [value])

/** Ten thousand characters cost seven million gas. */
const longGas = 12_000_000n

/** Raw return data; `0x` reverts. */
const tokens = {
  /** Markup, a bidi override, an invisible space and ten thousand characters; no symbol. */
  markup: { name: text(hostileName), symbol: text(''), decimals: number(18n) },
  /** Maximum decimals and supply. */
  manyDecimals: { name: text('Many Decimals'), symbol: text('MANY'), decimals: number(255n) },
  noDecimals: { name: text('No Decimals'), symbol: text('NONE'), decimals: number(0n) },
  /** More than a uint8 can hold. */
  hugeDecimals: { name: text('Huge Decimals'), symbol: text('HUGE'), decimals: number(maxUint256) },
  nameless: { name: '0x', symbol: '0x', decimals: '0x' },
  /** bytes32, as tokens of 2017. */
  bytes32: {
    name: padHex(stringToHex('Old Token'), { size: 32, dir: 'right' }),
    symbol: padHex(stringToHex('OLD'), { size: 32, dir: 'right' }),
    decimals: number(18n),
  },
  /** A length beyond the data, and invalid UTF-8. */
  lying: {
    name: `${padHex('0x20', { size: 32 })}${'f'.repeat(64)}`,
    symbol: `${padHex('0x20', { size: 32 })}${padHex('0x02', { size: 32 }).slice(2)}${'fffe'.padEnd(64, '0')}`,
    decimals: number(6n),
  },
  impostor: { name: text('Devnet Dollar'), symbol: text('DUSD'), decimals: number(6n) },
} as const satisfies Readonly<Record<string, { readonly name: Hex; readonly symbol: Hex; readonly decimals: Hex }>>

const json = (value: unknown) => `data:application/json;base64,${Buffer.from(JSON.stringify(value)).toString('base64')}`
const scriptPicture = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><foreignObject><iframe src="javascript:alert(1)"/></foreignObject><image href="https://example.com/track.png"/><rect width="9" height="9" fill="red"/></svg>`

/** Metadata URIs. Key order is token id order, from 1. */
const collectibles = {
  scriptInPicture: json({
    name: 'Script in a picture',
    image: `data:image/svg+xml;base64,${Buffer.from(scriptPicture).toString('base64')}`,
  }),
  javascriptPicture: json({ name: 'No picture', image: 'javascript:alert(1)' }),
  markupName: json({
    name: hostileName.slice(0, 600),
    description: '<script>alert(1)</script>',
    image: 'data:text/html,<script>alert(1)</script>',
  }),
  hugeAttributes: json({
    name: 'Attributes',
    image: 'data:image/png;base64,AAAA',
    attributes: [
      { trait_type: '<b>bold</b>', value: 'A'.repeat(2_000) },
      { trait_type: { nested: true }, value: ['list'] },
      { value: 1e308 },
      ...Array.from({ length: 100 }, (_, index) => ({ trait_type: `t${index}`, value: index })),
    ],
  }),
  /** Cloud metadata service: fetching it leaks secrets. */
  privateAddress: 'http://169.254.169.254/latest/meta-data/',
  loopback: 'http://127.0.0.1:8545/',
  localFile: 'file:///etc/passwd',
  notJson: 'data:application/json,{"name":',
  wrongTypes: json({ name: 42, image: { url: 'x' }, attributes: 'none' }),
  empty: '',
} as const

export type HostileTokens = {
  /** The holder has a million base units of each ERC-20, 2²⁵⁶−1 of `manyDecimals`. */
  readonly tokens: Readonly<Record<keyof typeof tokens, Address>>
  /** ERC-721 with a hostile name; the holder has every token. */
  readonly collectible: Address
  readonly tokenIds: Readonly<Record<keyof typeof collectibles, bigint>>
}

/**
 * Deploys new hostile tokens, each by a new sender, and sends them to `holder`.
 *
 * @example
 * const { tokens } = await deployHostileTokens('http://127.0.0.1:8545', account.address)
 */
export async function deployHostileTokens(rpcUrl: string, holder: Address): Promise<HostileTokens> {
  const account = privateKeyToAccount(generatePrivateKey())
  const node = createPublicClient({ transport: http(rpcUrl) })
  const [chainId] = await Promise.all([node.getChainId(), endow(rpcUrl, account.address, 1_000n)])
  let next = 0n
  const deployed: Call[] = []
  const deploy = (data: Hex): Address => {
    deployed.push({ data, gas: longGas })
    return getContractAddress({ from: account.address, nonce: next++ })
  }
  const token = (answers: (typeof tokens)[keyof typeof tokens]) =>
    deploy(encodeDeployData({ ...devnetOddToken, args: [answers.name, answers.symbol, answers.decimals] }))
  const addresses = {
    markup: token(tokens.markup),
    manyDecimals: token(tokens.manyDecimals),
    noDecimals: token(tokens.noDecimals),
    hugeDecimals: token(tokens.hugeDecimals),
    nameless: token(tokens.nameless),
    bytes32: token(tokens.bytes32),
    lying: token(tokens.lying),
    impostor: token(tokens.impostor),
  }
  const collectible = deploy(encodeDeployData({ ...devnetOddCollectible, args: [hostileName.slice(0, 600)] }))
  const minted = [
    ...Object.values(addresses).map((address) => ({
      to: address,
      data: encodeFunctionData({
        abi: devnetOddToken.abi,
        functionName: 'mint',
        args: [holder, address === addresses.manyDecimals ? maxUint256 : 1_000_000n],
      }),
    })),
    ...Object.values(collectibles).map((uri) => ({
      to: collectible,
      gas: longGas,
      data: encodeFunctionData({ abi: devnetOddCollectible.abi, functionName: 'mint', args: [holder, uri] }),
    })),
  ]
  await sendAll({ rpcUrl, chainId, account, calls: [...deployed, ...minted] })
  return {
    tokens: addresses,
    collectible,
    tokenIds: {
      scriptInPicture: 1n,
      javascriptPicture: 2n,
      markupName: 3n,
      hugeAttributes: 4n,
      privateAddress: 5n,
      loopback: 6n,
      localFile: 7n,
      notJson: 8n,
      wrongTypes: 9n,
      empty: 10n,
    },
  }
}

export type Poison = {
  /** Named like the devnet's dollar. */
  readonly impostor: Address
  /** ERC-20; its name advertises a site. */
  readonly phishing: Address
  /** ERC-721; its name advertises a site and ends like `lookalike`. */
  readonly collectible: Address
  readonly collectibleName: string
  /** Both tokens' claimed amount, in millionths. */
  readonly amount: bigint
  /** Transactions that mention the owner, in order. */
  readonly hashes: readonly Hex[]
}

/**
 * Fakes transfers from `owner` to `lookalike`. Each call has a new sender.
 * They move zero devnet dollars, and much of an impostor and of a lure, which also seems to come back. At last a luring
 * collectible really arrives.
 *
 * @example
 * await poisonHistory('http://127.0.0.1:8545', { owner: account.address, lookalike })
 */
export async function poisonHistory(
  rpcUrl: string,
  { owner, lookalike }: { readonly owner: Address; readonly lookalike: Address },
): Promise<Poison> {
  const account = privateKeyToAccount(generatePrivateKey())
  const node = createPublicClient({ transport: http(rpcUrl) })
  const [chainId] = await Promise.all([node.getChainId(), endow(rpcUrl, account.address, 100n)])
  const at = (nonce: bigint) => getContractAddress({ from: account.address, nonce })
  const [impostor, phishing, collectible] = [at(0n), at(1n), at(2n)]
  const collectibleName = `Claim at gift.example ${lookalike.slice(-6)}`
  const amount = 512_250_000n
  const { name, symbol, decimals } = tokens.impostor
  const named = [
    encodeDeployData({ ...devnetOddToken, args: [name, symbol, decimals] }),
    encodeDeployData({ ...devnetOddToken, args: [text('Bonus: https://gift.example'), symbol, decimals] }),
    encodeDeployData({ ...devnetOddCollectible, args: [collectibleName] }),
  ]
  const pretend = (from: Address, to: Address) =>
    encodeFunctionData({ abi: devnetOddToken.abi, functionName: 'pretend', args: [from, to, amount] })
  const nothing = encodeFunctionData({
    abi: devnetToken.abi,
    functionName: 'transferFrom',
    args: [owner, lookalike, 0n],
  })
  const minted = encodeFunctionData({ abi: devnetOddCollectible.abi, functionName: 'mint', args: [owner, ''] })
  const fakeTransfers = [
    { to: devnetContracts.dollar, data: nothing },
    { to: impostor, data: pretend(owner, lookalike) },
    { to: phishing, data: pretend(owner, lookalike) },
    { to: phishing, data: pretend(lookalike, owner) },
    { to: collectible, data: minted },
  ]
  const calls = [...named.map((data) => ({ data })), ...fakeTransfers]
  const hashes = await sendAll({ rpcUrl, chainId, account, calls })
  return { impostor, phishing, collectible, collectibleName, amount, hashes: hashes.slice(named.length) }
}
