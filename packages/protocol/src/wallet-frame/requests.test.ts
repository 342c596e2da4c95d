import { describe, expect, it } from 'vitest'
import { walletFrameRequests } from './requests'

describe('requests to the wallet’s frame', () => {
  it('have the names of interop §1 (spec §7)', () => {
    expect(Object.keys(walletFrameRequests)).toEqual([
      'SWITCH_NETWORK',
      'CONNECT_EMAIL',
      'CONNECT_DEVICE',
      'CONNECT_OTP',
      'GET_SOCIAL_REDIRECT_URI',
      'CONNECT_SOCIAL',
      'GET_FARCASTER_URI',
      'CONNECT_FARCASTER',
      'GET_USER',
      'SIGN_OUT',
      'IS_CONNECTED',
      'GET_CHAIN_ID',
      'GET_SMART_ACCOUNT_ENABLED_NETWORKS',
      'INIT_SMART_ACCOUNT',
      'SET_PREFERRED_ACCOUNT',
      'RPC_REQUEST',
      'UPDATE_EMAIL',
      'UPDATE_EMAIL_PRIMARY_OTP',
      'UPDATE_EMAIL_SECONDARY_OTP',
      'SYNC_THEME',
      'SYNC_DAPP_DATA',
      'RPC_ABORT',
      'RELOAD',
      // Beyond interop §1.
      'GET_EMAIL_SIGN_IN',
      'SHOW_APPROVAL',
      'HIDE_APPROVAL',
      'GET_WAITING_TRANSACTIONS',
      'REPLACE_TRANSACTION',
      'REJECT',
      'SOCIAL_CODE',
      'GET_SECURITY',
      'CREATE_WALLET',
      'FORGET_ENDED_WALLET',
      'REVOKE_DEVICE',
      'SEE_RECOVERIES',
      'USE_GRANTED_STORAGE',
      'GET_WINDOW_URI',
      'AWAIT_WINDOW',
      'GET_IDENTITY_TOKEN',
      'SHARE_USER',
      'DELETE_ACCOUNT',
    ])
  })

  it('have no code: the frame takes it', () => {
    const names = [
      'CONNECT_OTP',
      'SOCIAL_CODE',
      'UPDATE_EMAIL_PRIMARY_OTP',
      'UPDATE_EMAIL_SECONDARY_OTP',
      'DELETE_ACCOUNT',
    ] as const
    for (const name of names) {
      expect(walletFrameRequests[name].payload.safeParse(undefined).success).toBe(true)
      for (const sent of [{ otp: '123456' }, {}, '123456', ['123456']])
        expect(walletFrameRequests[name].payload.safeParse(sent).success, name).toBe(false)
    }
  })

  it('wait 30 s for email, device and social sign-in (spec §9)', () => {
    const timed = Object.entries(walletFrameRequests).flatMap(([name, { timeout }]) =>
      timeout === 30_000 ? [name] : [],
    )
    expect(timed.sort()).toEqual([
      'CONNECT_DEVICE',
      'CONNECT_EMAIL',
      'CONNECT_SOCIAL',
      'GET_EMAIL_SIGN_IN',
      'GET_IDENTITY_TOKEN',
      'GET_SECURITY',
      'GET_SOCIAL_REDIRECT_URI',
      'GET_WAITING_TRANSACTIONS',
      'GET_WINDOW_URI',
      'HIDE_APPROVAL',
      'SEE_RECOVERIES',
      'SHOW_APPROVAL',
      'USE_GRANTED_STORAGE',
    ])
  })
})
