import fc from 'fast-check'
import { toSafeSmartAccount } from 'permissionless/accounts'
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  isErc6492Signature,
  padHex,
  parseAbi,
  parseErc6492Signature,
  parseEther,
  parseSignature,
  recoverMessageAddress,
  serializeCompactSignature,
  serializeErc6492Signature,
  signatureToCompactSignature,
  zeroAddress,
} from 'viem'
import { entryPoint07Address } from 'viem/account-abstraction'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deployAccountAbstraction, devnetChain } from '../../../devnet/src/account-abstraction/deploy'
import { type Anvil, startAnvil } from '../../../devnet/src/evm/anvil'
import { freePorts } from '../../../devnet/src/http/free-ports'
import { devnetMnemonic } from '../../../devnet/src/mnemonic'
import { formatMessage } from '../message/format'
import type { SignInMessage } from '../types'
import { eip155Verifier } from './eip155'
import { UnverifiableError } from './verifier'

const chainId = 'eip155:1'
const message = 'app.example wants you to sign in with your Ethereum account:'
const byKey = eip155Verifier()

/** Source: https://github.com/spruceid/siwe (test/verification_positive.json) */
const siwe: readonly (Omit<SignInMessage, 'version' | 'chainId'> & { readonly signature: string })[] = [
  {
    domain: 'login.xyz',
    accountAddress: '0x9D85ca56217D2bb651b00f15e694EB7E713637D4',
    statement: 'Sign-In With Ethereum Example Statement',
    uri: 'https://login.xyz',
    nonce: 'bTyXgcQxn2htgkjJn',
    issuedAt: '2022-01-27T17:09:38.578Z',
    expirationTime: '2100-01-07T14:31:43.952Z',
    signature:
      '0xdc35c7f8ba2720df052e0092556456127f00f7707eaa8e3bbff7e56774e7f2e05a093cfc9e02964c33d86e8e066e221b7d153d27e5a2e97ccd5ca7d3f2ce06cb1b',
  },
  {
    domain: 'login.xyz',
    accountAddress: '0xE6D3Aa1F561A215E5eb1f02Ba8705385F03fCaFB',
    statement: 'Sign-In With Ethereum Example Statement',
    uri: 'https://login.xyz',
    nonce: 'lx2nx4so',
    issuedAt: '2022-01-05T14:27:30.883Z',
    notBefore: '2100-01-07T14:31:43.952Z',
    signature:
      '0xc2539ace78f13c7eb8c0852d38d269a6f97bebd9f7872097d2e3137b541f8bf50176062a46eeea83086bd2721423fb5755a932ff6ccc046ed482d14e4576042f1c',
  },
  {
    domain: 'www.tally.xyz',
    accountAddress: '0xc95EB884FE852e241D409234bfC7045CB9E31BD7',
    statement: 'Sign in with Ethereum to Tally',
    uri: 'https://tally.xyz',
    nonce: '15050747',
    issuedAt: '2022-06-30T14:08:51.382Z',
    // Its recovery byte starts at 0.
    signature:
      '0x8c46b6eb8505939892d8e9b075f89f8277321b17b993151f37810cdda38cce6f4a85909d2b53e6a14629c74c0ac38bf4becde78ee5b2529812bf6cceaf7b2a2501',
  },
]

/** Source: https://eips.ethereum.org/EIPS/eip-2098 (Test Cases) */
const compact = [
  {
    text: 'Hello World',
    long: '0x68a020a209d3d56c46f38cc50a33f704f4a9a10a59377f8dd762ac66910e9b907e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea520641b',
    short:
      '0x68a020a209d3d56c46f38cc50a33f704f4a9a10a59377f8dd762ac66910e9b907e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea52064',
  },
  {
    text: "It's a small(er) world",
    long: '0x9328da16089fcba9bececa81663203989f2df5fe1faa6291a45381c81bd17f76139c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f5507931c',
    short:
      '0x9328da16089fcba9bececa81663203989f2df5fe1faa6291a45381c81bd17f76939c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f550793',
  },
] as const

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** Anyone can derive it: n - s, other parity. */
function twin(signature: string): `0x${string}` {
  const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0')
  return `0x${signature.slice(2, 66)}${s}${signature.endsWith('1b') ? '1c' : '1b'}`
}

describe('1. signatures of a key', () => {
  test.each(compact)('verifies the EIP-2098 vector “$text”', async ({ text, long, short }) => {
    const { address, signMessage } = privateKeyToAccount(
      '0x1234567890123456789012345678901234567890123456789012345678901234',
    )
    const question = { message: text, address, chainId } as const
    for (const signature of [short, long]) {
      expect(await byKey.verify({ ...question, signature })).toBe(true)
      expect(await byKey.verify({ ...question, signature, message: `${text}!` })).toBe(false)
      expect(await byKey.verify({ ...question, signature, address: zeroAddress })).toBe(false)
    }
    const flipped = `${short.slice(0, 66)}${(Number(`0x${short[66]}`) ^ 8).toString(16)}${short.slice(67)}`
    expect(await byKey.verify({ ...question, signature: flipped })).toBe(false)
    for (const other of [short.slice(0, -2), `${short}1b00`] as const)
      expect(await byKey.verify({ ...question, signature: other })).toBe(false)
    expect(await signMessage({ message: text })).toBe(long)
  })

  test('verifies compact signatures of any text by any key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        const account = privateKeyToAccount(generatePrivateKey())
        const { r, s, yParity } = parseSignature(await account.signMessage({ message: text }))
        const signature = serializeCompactSignature(signatureToCompactSignature({ r, s, yParity }))
        const question = { message: text, signature, address: account.address, chainId } as const
        expect(await byKey.verify(question)).toBe(true)
        expect(await byKey.verify({ ...question, message: `${text} ` })).toBe(false)
      }),
      { numRuns: 30 },
    )
  })

  test('rejects the higher s without asking a chain, which would accept it', async () => {
    let calls = 0
    const agreeing = async () => {
      calls++
      return Response.json({ jsonrpc: '2.0', id: 1, result: '0x01' })
    }
    const { verify } = eip155Verifier({ rpcUrl: () => 'https://rpc.example', fetch: agreeing })
    for (const { text, long } of compact) {
      const { address } = privateKeyToAccount('0x1234567890123456789012345678901234567890123456789012345678901234')
      expect(await recoverMessageAddress({ message: text, signature: twin(long) })).toBe(address)
      expect(await verify({ message: text, signature: twin(long), address, chainId })).toBe(false)
    }
    expect(calls).toBe(0)
  })

  test.each(siwe)('verifies the SIWE reference vector with nonce $nonce', async ({ signature, ...fields }) => {
    const text = formatMessage({ ...fields, version: '1', chainId })
    const question = { message: text, signature, address: fields.accountAddress, chainId } as const
    expect(await byKey.verify(question)).toBe(true)
    expect(await byKey.verify({ ...question, address: question.address.toLowerCase() })).toBe(true)
    expect(await byKey.verify({ ...question, message: `${text} ` })).toBe(false)
    expect(await byKey.verify({ ...question, address: zeroAddress })).toBe(false)
  })

  test('rejects a chain that is not EVM', async () => {
    const account = privateKeyToAccount(padHex('0x1'))
    const question = { message, signature: await account.signMessage({ message }), address: account.address }
    expect(await byKey.verify({ ...question, chainId })).toBe(true)
    for (const other of ['eip155:', 'eip155:01', 'eip155:1\n', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'] as const)
      expect(await byKey.verify({ ...question, chainId: other })).toBe(false)
  })

  test('asks no chain', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const signature = await account.signMessage({ message })
    const { verify } = eip155Verifier({ rpcUrl: () => 'http://127.0.0.1:1' })
    expect(await verify({ message, signature, address: account.address, chainId })).toBe(true)
  })

  test('rejects a changed byte', async () => {
    const account = privateKeyToAccount(padHex('0x1'))
    const signed = await account.signMessage({ message })
    await fc.assert(
      fc.asyncProperty(fc.nat(64), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const bytes = Buffer.from(signed.slice(2), 'hex')
        bytes[at] = (bytes[at] ?? 0) ^ by
        // 0 and 1 mean 27 and 28.
        fc.pre(at !== 64 || (bytes[at] ?? 0) > 1)
        const signature = `0x${bytes.toString('hex')}`
        expect(await byKey.verify({ message, signature, address: account.address, chainId })).toBe(false)
      }),
      { numRuns: 50 },
    )
  })

  test('rejects the point at infinity, also for the zero address', async () => {
    for (const signature of [`0x${'00'.repeat(65)}`, `0x${'00'.repeat(64)}1b`, `0x${'ff'.repeat(65)}`])
      expect(await byKey.verify({ message, signature, address: zeroAddress, chainId })).toBe(false)
  })

  test('rejects any other input without throwing', async () => {
    const { signature = '', accountAddress: address = '' } = siwe[0] ?? {}
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
    )
    await fc.assert(
      fc.asyncProperty(anything, async (text) => {
        expect(await byKey.verify({ message, signature: text, address, chainId })).toBe(false)
        expect(await byKey.verify({ message, signature, address: text, chainId })).toBe(false)
      }),
    )
  })
})

const safeAbi = parseAbi([
  'function swapOwner(address prevOwner, address oldOwner, address newOwner)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)',
])

const { port } = await freePorts('port')

describe('2. signatures of a contract', () => {
  const rpcUrl = `http://127.0.0.1:${port}`
  const chain = devnetChain(rpcUrl, 31_337)
  const devnetId = 'eip155:31337'
  const client = createPublicClient({ chain, transport: http(rpcUrl), pollingInterval: 20 })
  const node = createTestClient({ mode: 'anvil', chain, transport: http(rpcUrl) })
  const { verify } = eip155Verifier({ rpcUrl: (id) => (id === devnetId ? rpcUrl : undefined) })

  let anvil: Anvil
  beforeAll(async () => {
    anvil = await startAnvil({ port, chainId: 31_337, mnemonic: devnetMnemonic, accounts: 2 })
    await deployAccountAbstraction({ rpcUrl, chainId: 31_337 })
  })
  afterAll(() => anvil.stop())

  async function newSafe() {
    const owner = privateKeyToAccount(generatePrivateKey())
    await node.setBalance({ address: owner.address, value: parseEther('1') })
    const entryPoint = { address: entryPoint07Address, version: '0.7' } as const
    const account = await toSafeSmartAccount({ client, owners: [owner], version: '1.4.1', entryPoint, saltNonce: 0n })
    const wallet = createWalletClient({ account: owner, chain, transport: http(rpcUrl) })
    const mined = async (hash: Hex) => {
      const { status } = await client.waitForTransactionReceipt({ hash })
      expect(status).toBe('success')
    }
    return {
      account,
      async deploy() {
        const { factory, factoryData } = await account.getFactoryArgs()
        if (factory === undefined) throw new Error('The account has no factory.')
        await mined(await wallet.sendTransaction({ to: factory, data: factoryData }))
      },
      async handOver(to: Hex) {
        const first = padHex('0x1', { size: 20 })
        const data = encodeFunctionData({ abi: safeAbi, functionName: 'swapOwner', args: [first, owner.address, to] })
        // The sender's approval: r is the owner, v is 1.
        const approval: Hex = `${padHex(owner.address, { size: 32 })}${'00'.repeat(32)}01`
        const args = [account.address, 0n, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, approval] as const
        await mined(
          await wallet.writeContract({ abi: safeAbi, address: account.address, functionName: 'execTransaction', args }),
        )
      },
    }
  }

  test('EIP-6492: verifies an undeployed account without deploying it', async () => {
    const { account } = await newSafe()
    const signature = await account.signMessage({ message })
    expect(isErc6492Signature(signature)).toBe(true)
    const question = { message, signature, address: account.address, chainId: devnetId } as const
    expect(await verify(question)).toBe(true)
    expect(await verify({ ...question, message: `${message}!` })).toBe(false)
    expect(await client.getCode({ address: account.address })).toBeUndefined()

    const other = await newSafe()
    expect(await verify({ ...question, address: other.account.address })).toBe(false)
    const inner = parseErc6492Signature(await other.account.signMessage({ message })).signature
    const { address, data } = parseErc6492Signature(signature)
    const forged = serializeErc6492Signature({ address: address ?? zeroAddress, data: data ?? '0x', signature: inner })
    expect(await verify({ ...question, signature: forged })).toBe(false)
    expect(await verify({ ...question, signature: parseErc6492Signature(signature).signature })).toBe(false)
  })

  test('EIP-1271: verifies a deployed account until its owner changes', async () => {
    const { account, deploy, handOver } = await newSafe()
    const wrapped = await account.signMessage({ message })
    await deploy()
    const { signature } = parseErc6492Signature(wrapped)
    const question = { message, signature, address: account.address, chainId: devnetId } as const
    expect(await verify(question)).toBe(true)
    expect(await verify({ ...question, signature: wrapped })).toBe(true)
    expect(await verify({ ...question, message: `${message}!` })).toBe(false)

    await handOver(privateKeyToAccount(generatePrivateKey()).address)
    expect(await verify(question)).toBe(false)
    expect(await verify({ ...question, signature: wrapped })).toBe(false)
  })

  test('rejects a contract without signature support, and an empty account', async () => {
    const stranger = await privateKeyToAccount(generatePrivateKey()).signMessage({ message })
    for (const signature of [stranger, '0x00', `0x${'11'.repeat(300)}`] as const) {
      expect(await verify({ message, signature, address: entryPoint07Address, chainId: devnetId })).toBe(false)
      expect(await verify({ message, signature, address: `0x${'11'.repeat(20)}`, chainId: devnetId })).toBe(false)
    }
  })

  test('rejects the zero address, which a chain recovers from an invalid signature', async () => {
    const signature = `0x${'ff'.repeat(64)}1b`
    expect(await verify({ message, signature, address: zeroAddress, chainId: devnetId })).toBe(false)
    const agreeing = async () => Response.json({ jsonrpc: '2.0', id: 1, result: '0x01' })
    const asking = eip155Verifier({ rpcUrl: () => rpcUrl, fetch: agreeing })
    expect(await asking.verify({ message, signature, address: zeroAddress, chainId: devnetId })).toBe(false)
  })

  test('rejects a factory that runs out of gas or hits an invalid opcode', async () => {
    // 0xfe; more memory than the gas allows; a result too long for the caller's gas.
    for (const code of ['0xfe', '0x6000630fffffff52', '0x63002c00006000f3'] as const) {
      const factory = privateKeyToAccount(generatePrivateKey()).address
      await node.setCode({ address: factory, bytecode: code })
      const signature = serializeErc6492Signature({ address: factory, data: '0x', signature: '0x11' })
      const address = privateKeyToAccount(generatePrivateKey()).address
      expect(await verify({ message, signature, address, chainId: devnetId })).toBe(false)
    }
  })

  test('asks a deployed account in its current state, ignoring the signature’s factory call', async () => {
    const address = privateKeyToAccount(generatePrivateKey()).address
    // isValidSignature(…) returns the magic value if storage 0 is non-zero, else reverts. Other calls write 1 there,
    // like a purchase of the account.
    const bytecode = '0x5f3560e01c631626ba7e1460145760015f5500005b5f54601f575f5ffd00005b631626ba7e60e01b5f5260205ff3'
    await node.setCode({ address, bytecode })
    const inner: Hex = `0x${'11'.repeat(64)}`
    const call = { address, data: '0xdeadbeef', signature: inner } as const
    const question = { message, address, chainId: devnetId } as const
    const signature = serializeErc6492Signature(call)
    expect(await verify({ ...question, signature })).toBe(false)
    expect(await verify({ ...question, signature: serializeErc6492Signature({ ...call, signature }) })).toBe(false)
    await node.setStorageAt({ address, index: 0, value: padHex('0x1') })
    expect(await verify({ ...question, signature })).toBe(true)
    expect(await verify({ ...question, signature: inner })).toBe(true)
  })

  test('asks from a new random address each time, unknown to any account', async () => {
    const { account } = await newSafe()
    const signature = await account.signMessage({ message })
    const askers: string[] = []
    const watched: typeof fetch = (input, init) => {
      askers.push(String(JSON.parse(String(init?.body)).params[0].from))
      return fetch(input, init)
    }
    const asking = eip155Verifier({ rpcUrl: () => rpcUrl, fetch: watched })
    for (let attempt = 0; attempt < 3; attempt++)
      expect(await asking.verify({ message, signature, address: account.address, chainId: devnetId })).toBe(true)
    // Code size and signature, three times.
    expect(new Set(askers).size).toBe(6)
    for (const asker of askers) expect(asker).toMatch(/^0x[0-9a-f]{40}$/)
  })

  test('rejects contracts on a chain without a node', async () => {
    const { account } = await newSafe()
    const signature = await account.signMessage({ message })
    expect(await verify({ message, signature, address: account.address, chainId: 'eip155:1' })).toBe(false)
  })
})

test('2. rejects an unreadable wrapper without asking a chain, which might read it differently', async () => {
  const { verify } = eip155Verifier({ rpcUrl: () => 'http://127.0.0.1:1' })
  const address = `0x${'11'.repeat(20)}`
  for (const text of ['', '11'.repeat(64), 'ff'.repeat(96)])
    expect(await verify({ message, address, signature: `0x${text}${'6492'.repeat(16)}`, chainId })).toBe(false)
})

test('4. asks a node with 15 million gas, whatever its default', async () => {
  const requests: unknown[] = []
  const watched: typeof fetch = async (_, init) => {
    requests.push(JSON.parse(String(init?.body)).params[0].gas)
    return Response.json({ jsonrpc: '2.0', id: 1, result: '0x01' })
  }
  const { verify } = eip155Verifier({ rpcUrl: () => 'https://rpc.example', fetch: watched })
  const address = `0x${'11'.repeat(20)}`
  expect(await verify({ message, address, signature: `0x${'11'.repeat(65)}`, chainId })).toBe(true)
  expect(requests.map(Number)).toEqual([15_000_000])
})

describe('4. a node without a usable response', () => {
  const stranger = { message, address: `0x${'11'.repeat(20)}`, signature: `0x${'11'.repeat(65)}`, chainId } as const
  const url = 'https://rpc.example/v2/secret-key'
  const answering =
    (body: unknown, status = 200) =>
    async () =>
      new Response(JSON.stringify(body), { status })

  test.each<[string, typeof fetch]>([
    ['cannot be reached', () => Promise.reject(new TypeError(`fetch failed: ${url}`))],
    ['responds with a page', async () => new Response('<html>', { status: 502 })],
    [
      'limits requests',
      answering({ jsonrpc: '2.0', id: 1, error: { code: -32_005, message: `limit exceeded: ${url}` } }, 429),
    ],
    [
      'times out on another server',
      answering({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message: 'request timed out' } }),
    ],
    [
      'was cancelled',
      answering({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message: 'context deadline exceeded' } }),
    ],
    [
      'has an internal error',
      answering({ jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'Internal error' } }),
    ],
    ['responds with other JSON', answering({ jsonrpc: '2.0', id: 1, result: '0x' })],
    ['returns two', answering({ jsonrpc: '2.0', id: 1, result: `0x${'00'.repeat(31)}02` })],
    ['responds without hexadecimal', answering({ jsonrpc: '2.0', id: 1, result: true })],
    ['responds with null', answering(null)],
  ])('that %s: unverifiable, without the URL of the node', async (_, ask) => {
    const { verify } = eip155Verifier({ rpcUrl: () => url, fetch: ask })
    const refusal = await verify(stranger).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(UnverifiableError)
    expect(JSON.stringify(refusal, Object.getOwnPropertyNames(refusal))).not.toContain('secret-key')
  })

  test('is read no further than the max response size', async () => {
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 16_384
        controller.enqueue(new Uint8Array(16_384).fill(0x30))
      },
    })
    const { verify } = eip155Verifier({ rpcUrl: () => url, fetch: async () => new Response(endless) })
    await expect(verify(stranger)).rejects.toBeInstanceOf(UnverifiableError)
    expect(sent).toBeLessThan(200_000)
  })

  test('a port without a listener', async () => {
    const { verify } = eip155Verifier({ rpcUrl: () => 'http://127.0.0.1:1' })
    await expect(verify(stranger)).rejects.toBeInstanceOf(UnverifiableError)
  })

  test.each([
    { code: 3, message: 'execution failed', data: '0x' },
    { code: -32_000, message: 'execution reverted' },
    { code: -32_015, message: 'VM execution error.', data: 'Reverted 0x' },
    { code: -32_000, message: 'out of gas' },
    { code: -32_603, message: 'EVM error MemoryOOG' },
    { code: -32_603, message: 'EVM error OutOfGas' },
    { code: -32_000, message: 'invalid opcode: INVALID' },
    { code: -32_603, message: 'EVM error InvalidFEOpcode' },
    { code: -32_603, message: 'EVM error OpcodeNotFound' },
    { code: -32_000, message: 'stack underflow (0 <=> 1)' },
    { code: -32_603, message: 'EVM error StackOverflow' },
    { code: -32_000, message: 'stack limit reached 1024 (1023)' },
    { code: -32_000, message: 'invalid jump destination' },
    { code: -32_000, message: 'execution aborted (timeout = 5s)' },
    { code: -32_000, message: 'execution timeout' },
    { code: -32_000, message: 'execution timed out' },
  ])('a revert or a failed execution is an invalid signature: $code $message', async (error) => {
    const { verify } = eip155Verifier({ rpcUrl: () => url, fetch: answering({ jsonrpc: '2.0', id: 1, error }) })
    expect(await verify(stranger)).toBe(false)
  })
})
