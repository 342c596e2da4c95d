/** The fake gateway's calls of a signed-in user. */
import type { WalletApiBody, WalletApiCall } from '@postern/protocol'
import { type Caller, type fakeSignIn, Refused, type Row, type Wallet } from './fake-sign-in'

type Calls = { [C in WalletApiCall]?: (body: WalletApiBody<C>, caller: Caller) => unknown }

export function fakeWalletCalls({ sessions, signedIn, remove, endsOf, keepEnd }: ReturnType<typeof fakeSignIn>): Calls {
  return {
    session: (_, caller) => signedIn(caller),
    identityToken({ namespaces, user: isWanted }, { user: { id, provider, email } }) {
      const user = { provider, ...(email !== null && { email }) }
      const claims = Buffer.from(JSON.stringify({ user })).toString('base64url')
      return { token: isWanted ? `e30.${claims}.${namespaces.join()}` : `${id} ${namespaces.join()}` }
    },
    signOut(_, { token }) {
      sessions.delete(token)
      return {}
    },
    confirm: () => ({ needsCode: true }),
    wallet({ which }, caller) {
      const wallet = which === 'previous' ? caller.user.previous : caller.user.wallet
      const ends = endsOf(caller.user)
      if (wallet === null) return { wallet: null, ends }
      const devices = [...wallet.rows].map(([token, { id, name }]) => ({
        id,
        name,
        createdAt: 1,
        usedAt: 1,
        isThis: token === caller.deviceToken,
      }))
      const stale = wallet.rows.get(caller.deviceToken)?.recoveryShare === null
      const { addresses, recovery, recoveryProof, addressProof, replaces = null, isExposed } = wallet
      const told = { addresses, recovery, recoveryProof, addressProof, replaces, isExposed, devices, stale }
      return { wallet: told, ends }
    },
    createWallet({ addresses, shares, chosen }, { user, deviceToken }) {
      if (user.wallet !== null) throw new Refused('WALLET_EXISTS')
      user.wallet = {
        addresses,
        recovery: chosen?.recovery ?? { method: 'gateway' },
        recoveryProof: chosen?.recoveryProof ?? null,
        addressProof: null,
        isExposed: chosen === undefined || chosen.recovery.method === 'gateway',
        rows: new Map(),
      }
      put(user.wallet, deviceToken, shares)
      return {}
    },
    replaceWallet({ addresses, shares, recovery, recoveryProof, signature, end, otp }, { user, deviceToken }) {
      if (otp !== '123456') throw new Refused('WRONG_CODE')
      if (user.previous !== null) throw new Refused('PREVIOUS_WALLET_EXISTS')
      if (user.wallet === null) throw new Refused('WALLET_NOT_FOUND')
      if (end !== undefined) keepEnd(user, end)
      user.previous = user.wallet
      user.wallet = {
        addresses,
        recovery,
        recoveryProof,
        addressProof: null,
        replaces: { from: user.previous.addresses, signature },
        isExposed: false,
        rows: new Map(),
      }
      put(user.wallet, deviceToken, shares)
      return {}
    },
    deletePrevious({ otp }, { user }) {
      if (otp !== '123456') throw new Refused('WRONG_CODE')
      user.previous = null
      return {}
    },
    putDevice(shares, caller) {
      put(walletOf(caller, shares), caller.deviceToken, shares)
      return {}
    },
    proveAddresses({ which, ...proof }, caller) {
      walletOf(caller, { which }).addressProof = proof
      return {}
    },
    deviceShare: (which, caller) => ({ authShare: rowOf(caller, which).authShare }),
    recover(which, caller) {
      const { rows, recovery, recoveryProof } = walletOf(caller, which)
      const row = [...rows.values()].find(({ recoveryShare }) => recoveryShare !== null)
      if (row === undefined) throw new Refused('WALLET_NOT_FOUND')
      return { authShare: row.authShare, recoveryShare: row.recoveryShare, recovery, recoveryProof }
    },
    setRecovery({ recovery, recoveryProof, shares, otp }, caller) {
      if (otp !== '123456') throw new Refused('WRONG_CODE')
      const wallet = walletOf(caller)
      if (recoveryProof.generation <= (wallet.recoveryProof?.generation ?? 0)) throw new Refused('BAD_PROOF')
      for (const row of wallet.rows.values()) row.recoveryShare = null
      put(wallet, caller.deviceToken, shares)
      wallet.recovery = recovery
      wallet.recoveryProof = recoveryProof
      return {}
    },
    confirmExport({ otp }) {
      if (otp !== '123456') throw new Refused('WRONG_CODE')
      return {}
    },
    revokeDevice({ id, signature }, caller) {
      const { rows, recovery } = walletOf(caller)
      const isProven = signature !== undefined && rows.has(caller.deviceToken)
      if (recovery.method !== 'gateway' && !isProven) throw new Refused('WALLET_IN_USE')
      const found = [...rows].find(([, row]) => row.id === id)
      const others = [...rows.values()].filter((row) => row.id !== id && row.recoveryShare !== null)
      if (found !== undefined && others.length === 0) throw new Refused('LAST_DEVICE')
      if (found !== undefined) rows.delete(found[0])
      return {}
    },
    deleteAccount({ end }, { user, deviceToken }) {
      const { wallet } = user
      const isHardened = wallet !== null && wallet.recovery.method !== 'gateway'
      if (end === undefined && isHardened && [...wallet.rows.keys()].some((token) => token !== deviceToken))
        throw new Refused('WALLET_IN_USE')
      if (end !== undefined) keepEnd(user, end)
      remove(user)
      return {}
    },
  }
}

type Which = { readonly which?: 'previous' | undefined }

function rowOf({ user, deviceToken }: Caller, { which }: Which): Row {
  const row = (which === 'previous' ? user.previous : user.wallet)?.rows.get(deviceToken)
  if (row === undefined) throw new Refused('DEVICE_REVOKED')
  return row
}

function put(wallet: Wallet, deviceToken: string, shares: WalletApiBody<'putDevice'>): void {
  const id = wallet.rows.get(deviceToken)?.id ?? `device-${wallet.rows.size + 1}`
  const { authShare, recoveryShare, deviceName } = shares
  wallet.addressProof = shares.addressProof ?? null
  wallet.rows.set(deviceToken, { id, name: deviceName, authShare, recoveryShare })
}

function walletOf({ user }: Caller, { which }: Which = {}): Wallet {
  const wallet = which === 'previous' ? user.previous : user.wallet
  if (wallet === null) throw new Refused('WALLET_NOT_FOUND')
  return wallet
}
