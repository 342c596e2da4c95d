/** Tokens and collectibles as an attacker would send them to somebody, for tests of whoever reads and shows them. */
import {
  type Address,
  createPublicClient,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  http,
  keccak256,
  maxUint256,
  padHex,
  stringToHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { devnetOddCollectible, devnetOddToken, devnetToken } from './evm/contracts.gen'
import { type Call, endow, sendAll } from './evm/send-all'
import { devnetContracts } from './networks'

/** Turns the text after it around (U+202E), and a space of no width (U+200B). */
const bidiOverride = '\u202e'
const invisible = '\u200b'
export const hostileName = `<img src=x onerror=alert(1)>${bidiOverride}CDSU${invisible} claim at https://example.com/${'A'.repeat(10_000)}`

const text = (value: string): Hex => encodeAbiParameters([{ type: 'string' }], [value])
const number = (value: bigint): Hex => encodeAbiParameters([{ type: 'uint256' }], [value])

/** Ten thousand characters of storage cost seven million. */
const longGas = 12_000_000n

/** What each token answers of itself, byte for byte; `0x` reverts. */
const tokens = {
  /** Markup, a bidi override, an invisible space and ten thousand characters in its name; no symbol. */
  markup: { name: text(hostileName), symbol: text(''), decimals: number(18n) },
  /** The most decimals that a contract can claim, and as much as there can be of it. */
  manyDecimals: { name: text('Many Decimals'), symbol: text('MANY'), decimals: number(255n) },
  noDecimals: { name: text('No Decimals'), symbol: text('NONE'), decimals: number(0n) },
  /** More than a uint8 holds. */
  hugeDecimals: { name: text('Huge Decimals'), symbol: text('HUGE'), decimals: number(maxUint256) },
  /** `name()`, `symbol()` and `decimals()` revert. */
  nameless: { name: '0x', symbol: '0x', decimals: '0x' },
  /** As tokens of 2017 answer, sound but unusual: bytes32. */
  bytes32: {
    name: padHex(stringToHex('Old Token'), { size: 32, dir: 'right' }),
    symbol: padHex(stringToHex('OLD'), { size: 32, dir: 'right' }),
    decimals: number(18n),
  },
  /** A string that says it is longer than its answer, and one that is no UTF-8. */
  lying: {
    name: `${padHex('0x20', { size: 32 })}${'f'.repeat(64)}`,
    symbol: `${padHex('0x20', { size: 32 })}${padHex('0x02', { size: 32 }).slice(2)}${'fffe'.padEnd(64, '0')}`,
    decimals: number(6n),
  },
  /** Calls itself what the devnet's dollar is called. */
  impostor: { name: text('Devnet Dollar'), symbol: text('DUSD'), decimals: number(6n) },
} as const satisfies Readonly<Record<string, { readonly name: Hex; readonly symbol: Hex; readonly decimals: Hex }>>

const json = (value: unknown) => `data:application/json;base64,${Buffer.from(JSON.stringify(value)).toString('base64')}`
const scriptPicture = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><foreignObject><iframe src="javascript:alert(1)"/></foreignObject><image href="https://example.com/track.png"/><rect width="9" height="9" fill="red"/></svg>`

/** Where the metadata of each collectible is. Keys are also the order of their token ids, from 1. */
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
  /** The metadata service of a cloud's machines: who fetches it gives secrets away. */
  privateAddress: 'http://169.254.169.254/latest/meta-data/',
  loopback: 'http://127.0.0.1:8545/',
  localFile: 'file:///etc/passwd',
  notJson: 'data:application/json,{"name":',
  wrongTypes: json({ name: 42, image: { url: 'x' }, attributes: 'none' }),
  empty: '',
} as const

export type HostileTokens = {
  /** ERC-20s; the holder has a million smallest units of each, and of `manyDecimals` 2²⁵⁶−1. */
  readonly tokens: Readonly<Record<keyof typeof tokens, Address>>
  /** One ERC-721 whose own name is hostile too; the holder has one of each. */
  readonly collectible: Address
  readonly tokenIds: Readonly<Record<keyof typeof collectibles, bigint>>
}

/**
 * Deploys them on a chain of the devnet and sends them all to `holder`. Each call deploys new ones.
 *
 * @example
 * const { tokens } = await deployHostileTokens('http://127.0.0.1:8545', account.address)
 */
export async function deployHostileTokens(rpcUrl: string, holder: Address): Promise<HostileTokens> {
  const account = privateKeyToAccount(keccak256(stringToHex('Postern devnet: whoever sends hostile tokens')))
  const node = createPublicClient({ transport: http(rpcUrl) })
  const [chainId, nonce] = await Promise.all([
    node.getChainId(),
    node.getTransactionCount({ address: account.address }),
    endow(rpcUrl, account.address, 1_000n),
  ])
  let next = BigInt(nonce)
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

/** What a history is poisoned with. */
export type Poison = {
  /** Has the name of the devnet's dollar. */
  readonly impostor: Address
  /** An ERC-20 whose name calls to a site. */
  readonly lure: Address
  /** An ERC-721 whose name does, and ends as `lookalike` does. */
  readonly collectible: Address
  readonly collectibleName: string
  /** What both tokens say that the owner sent, in millionths. */
  readonly amount: bigint
  /** Of each transaction that says something of the owner, in their order. */
  readonly hashes: readonly Hex[]
}

/**
 * Has strangers make the chain say of `owner`, who asked for none of it, that it sent to `lookalike`: nothing of the devnet's dollar, and much of an impostor and of a lure, which
 * is said to have come as well; at last a collectible of a luring name really comes. Each call is by another stranger.
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
  const [impostor, lure, collectible] = [at(0n), at(1n), at(2n)]
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
  const said = [
    { to: devnetContracts.dollar, data: nothing },
    { to: impostor, data: pretend(owner, lookalike) },
    { to: lure, data: pretend(owner, lookalike) },
    { to: lure, data: pretend(lookalike, owner) },
    { to: collectible, data: minted },
  ]
  const calls = [...named.map((data) => ({ data })), ...said]
  const hashes = await sendAll({ rpcUrl, chainId, account, calls })
  return { impostor, lure, collectible, collectibleName, amount, hashes: hashes.slice(named.length) }
}
