import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  classifyRpcMethod,
  factsOfMethod,
  isSendingRpcRequest,
  type MethodFacts,
  methodsThat,
  sendsTransaction,
  walletRequestMethods,
} from './methods'

function known(method: string): MethodFacts {
  const facts = factsOfMethod(method)
  if (facts === undefined) throw new Error(`${method} has no row`)
  return facts
}

const everyMethod = methodsThat(() => true)
const safe = methodsThat(({ risk }) => risk === 'safe')

describe('classifyRpcMethod', () => {
  it('allows reads, estimates, signed transactions and queries (spec §5, §6)', () => {
    for (const method of [
      'eth_call',
      'eth_getLogs',
      'eth_estimateGas',
      'eth_sendRawTransaction',
      'wallet_getCapabilities',
    ]) {
      expect(classifyRpcMethod(method)).toBe('safe')
    }
  })

  it('requires approval for everything that signs, sends or grants (interop §1) (spec §5, §6)', () => {
    for (const method of [
      'personal_sign',
      'eth_signTypedData_v4',
      'eth_sendTransaction',
      'solana_signMessage',
      'solana_signTransaction',
      'solana_signAllTransactions',
      'solana_signAndSendTransaction',
      'wallet_sendCalls',
      'wallet_grantPermissions',
      'wallet_revokePermissions',
      'eth_sendUserOperation',
    ]) {
      expect(classifyRpcMethod(method)).toBe('notSafe')
    }
  })

  it('marks no method as safe that signs or sends by its name', () => {
    const names = safe.filter((method) => /(?<!get)sign|send|grant|revoke/i.test(method))
    expect(names).toEqual(['eth_sendRawTransaction', 'sendTransaction', 'bip122_sendRawTransaction'])
  })

  it.each([
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'eth_getEncryptionPublicKey',
    'eth_subscribe',
    'wallet_sendTransaction',
    'wallet_watchAsset',
    'web3_clientVersion',
    'wallet_importPrivateKey',
    'debug_traceTransaction',
    'admin_peers',
    'anvil_setBalance',
    'evm_mine',
    'hardhat_impersonateAccount',
    'PERSONAL_SIGN',
    'eth_call ',
    ' eth_call',
    'eth_call\n',
    '',
    'wallet_connect',
    'eth_requestAccounts',
  ])('does not know %j', (method) => expect(classifyRpcMethod(method)).toBe('unknown'))

  it.each([
    'eth_sign',
    'eth_signTransaction',
    'eth_signTypedData',
    'eth_signTypedData_v1',
    'eth_signTypedData_v3',
    'eth_decrypt',
    'personal_sendTransaction',
    'personal_signTransaction',
  ])('refuses %j, which signs, sends or decrypts', (method) => expect(classifyRpcMethod(method)).toBe('refused'))

  it('lets no unlisted method through (spec §5)', () => {
    const listed = new Set<string>(methodsThat(({ risk }) => risk === 'safe' || risk === 'notSafe'))
    const unlisted = fc.string().filter((method) => !listed.has(method))
    fc.assert(
      fc.property(unlisted, (method) => {
        expect(['refused', 'unknown']).toContain(classifyRpcMethod(method))
      }),
    )
  })

  it.each<[string, unknown, boolean]>([
    ['bip122_signPsbt', { broadcast: true }, true],
    ['bip122_signPsbt', [{ broadcast: true }], true],
    ['bip122_signPsbt', { broadcast: false }, false],
    ['bip122_signPsbt', [{}], false],
    ['bip122_signPsbt', undefined, false],
    ['bip122_sendTransfer', {}, true],
    ['eth_sendTransaction', undefined, true],
    ['personal_sign', { broadcast: true }, false],
  ])('knows that a repeat of %s with %j pays twice: %s', (method, params, sends) =>
    expect(isSendingRpcRequest(method, params)).toBe(sends),
  )

  it("never lets the host call a page wallet's signing method that needs no approval", () => {
    for (const method of walletRequestMethods.filter((name) => /sign|send/i.test(name))) {
      expect(classifyRpcMethod(method)).toBe('notSafe')
    }
  })
})

describe.each(everyMethod)('the row of %s', (method) => {
  const facts = known(method)
  const { namespace, risk } = facts

  it('has the namespace that its name says; without a prefix it is a read of Solana', () => {
    const [prefix] = method.includes('_') ? method.split('_') : ['solana']
    const isOfEvm = prefix === 'eth' || prefix === 'wallet' || prefix === 'personal'
    expect(namespace).toBe(isOfEvm ? 'eip155' : prefix)
    if (!method.includes('_')) expect(facts).toEqual({ namespace: 'solana', risk: 'safe', node: true })
  })

  it('says who serves it only if it may be served', () => {
    if (facts.node) expect(risk).toBe('safe')
    if (facts.bundler !== undefined) expect(['safe', 'notSafe']).toContain(risk)
    if (risk === 'refused' || risk === 'composed') expect(facts).not.toHaveProperty('pageWallet')
  })

  it('names an account if it signs, except for a PSBT, whose inputs do', () => {
    expect(facts.names !== undefined).toBe(risk === 'notSafe' && method !== 'bip122_signPsbt')
  })

  it('pays only with an approval', () => {
    if (facts.sends !== undefined) expect(['notSafe', 'composed']).toContain(risk)
    if (facts.inTurn) expect([facts.sends, risk]).toEqual([expect.stringMatching(/transaction|permission/), 'notSafe'])
    if (facts.movesAssets) expect([facts.sends, risk]).toEqual(['transaction', 'notSafe'])
  })
})

it.each<[string, unknown, boolean]>([
  ['eth_sendUserOperation', [], true],
  ['bip122_signPsbt', [{ broadcast: true }], true],
  ['bip122_signPsbt', [{}], false],
  ['wallet_revokePermissions', [{}], false],
  ['wallet_grantPermissions', [{}], false],
  ['eth_sendTransactionSync', [{}], false],
  ['eth_sendRawTransaction', ['0x'], false],
])('after %s with %j a wallet has sent a transaction: %s', (method, params, sends) => {
  expect(sendsTransaction(method, params)).toBe(sends)
})

it('the wallet that the user had before moves assets, and does nothing else', () => {
  expect([...methodsThat(({ movesAssets }) => movesAssets === true)].sort()).toEqual([
    'bip122_sendTransfer',
    'eth_sendTransaction',
    'solana_signAndSendTransaction',
    'wallet_sendCalls',
  ])
})
