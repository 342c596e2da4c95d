import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classifyRpcMethod, isSendingRpcRequest, notSafeRpcMethods, safeRpcMethods } from './rpc-methods'
import { walletRequestMethods } from './wallet-requests'

describe('classifyRpcMethod', () => {
  it('allows reads, estimates, signed transactions and queries', () => {
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

  it('requires approval for everything that signs, sends or grants (interop §1)', () => {
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

  it('lists no method twice', () => {
    const notSafe = new Set<string>(notSafeRpcMethods)
    expect(safeRpcMethods.filter((method) => notSafe.has(method))).toEqual([])
  })

  it('marks no method as safe that signs or sends by its name', () => {
    const names = safeRpcMethods.filter((method) => /(?<!get)sign|send|grant|revoke/i.test(method))
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

  it('lets no unlisted method through', () => {
    const listed = new Set<string>([...safeRpcMethods, ...notSafeRpcMethods])
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
