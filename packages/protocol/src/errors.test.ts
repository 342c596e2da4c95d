import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { alertOf, docsOf, errors, fillText, fromServerMessage, isErrorCode, linkError, texts } from './errors'
import { connectionErrors } from './errors/connection'
import { embeddedWalletErrors } from './errors/embedded-wallet'
import { fixes } from './errors/fixes'
import { generalErrors } from './errors/general'
import { linkErrors } from './errors/link'
import { moneyErrors } from './errors/money'
import { projectErrors } from './errors/project'
import { providerErrors } from './errors/provider'

describe('the catalogue', () => {
  it('has every message of spec §8 word for word', () => {
    const messages = new Set<string>(Object.values(errors).map(({ message }) => message))
    const spec = [
      'A problem occurred while trying initialize authentication',
      'Signature declined',
      'This application might not support Smart Accounts',
      'SIWX is not enabled',
      'No ActiveCaipAddress found',
      'No ActiveCaipNetwork or client found',
      'No ConnectionController client found',
      'Requested RPC call is not allowed',
      'Unable to load email login dependency',
      'An error occurred',
      'Something went wrong',
      'Request was aborted',
      'Unknown error',
      'No URL was provided to the Transport',
      'Adapter not found',
      'CaipNetwork not found',
      'WalletConnectConnector not found',
      'ConnectionControllerClient and NetworkControllerClient must be set',
      'Chain is not supported',
      'Network not supported for Swaps',
      'Network not supported for Gas Price',
      'Invalid CAIP Address',
      'An amount and receiver address are required',
      'A token is required',
      'Unsupported chain',
      'Address or auth connector not found',
      'Token Balance Unavailable',
      'Failed to fetch transactions',
      'Failed to disconnect',
      'Unauthorized: origin not allowed',
      'JWT validation error: JWT Token is not yet valid',
      'Unauthorized: invalid key',
      'Number is not a valid decimal number',
      'HTTP status code: {status}',
      'Please try again after {seconds} seconds',
    ]
    expect(spec.filter((message) => !messages.has(message))).toEqual([])
    expect(texts.actionNotAllowed).toBe('Action not allowed')
    expect(texts.authenticating).toBe('Authenticating...')
  })

  it('opens exactly the alerts of spec §8, one of them also for the modal itself', () => {
    const titles = Object.entries(errors).flatMap(([code, { alert }]) => (alert ? [`${code}: ${alert.title}`] : []))
    expect(titles.sort()).toEqual([
      'ANALYTICS_FORBIDDEN: Invalid App Configuration',
      'IFRAME_LOAD_FAILED: Network Error - Could not load embedded wallet',
      'IFRAME_REQUEST_TIMEOUT: Embedded Wallet Request Timed Out',
      'INVALID_PROJECT_ID: Invalid App Configuration',
      'LOAD_FAILED: Network Error - Could not load embedded wallet',
      'ORIGIN_NOT_ALLOWED: Invalid App Configuration',
      'PROJECT_ID_NOT_CONFIGURED: Project ID Not Configured',
      'SESSION_EXPIRED: Session Expired',
      'SWITCH_NETWORK_NOT_FOUND: Network Not Found',
      'UNVERIFIED_DOMAIN: Invalid App Configuration',
    ])
  })

  it('has the EIP-1193 and JSON-RPC codes', () => {
    const numbers = Object.fromEntries(
      Object.entries(errors).flatMap(([code, { rpc }]) => (rpc === undefined ? [] : [[code, rpc]])),
    )
    expect(numbers).toEqual({
      USER_REJECTED: 4001,
      UNAUTHORIZED: 4100,
      UNSUPPORTED_METHOD: 4200,
      RPC_NOT_ALLOWED: 4200,
      DISCONNECTED: 4900,
      INSUFFICIENT_FUNDS: -32000,
      FEE_NOT_COVERED: -32000,
      LINK_CLOSED: 4900,
      OUTCOME_UNKNOWN: -32002,
      DESTROYED: 4900,
      CHAIN_DISCONNECTED: 4901,
      NO_ACTIVE_NETWORK: 4901,
      CHAIN_NOT_ADDED: 4902,
      SWITCH_NETWORK_NOT_FOUND: 4902,
      CHAIN_NOT_SUPPORTED: 4902,
      NETWORK_NOT_FOUND: 4902,
      INVALID_REQUEST: -32600,
      METHOD_NOT_FOUND: -32601,
      INVALID_PARAMS: -32602,
      CONTRACT_NEEDS_STANDARD_ACCOUNT: -32602,
      INTERNAL: -32603,
      NETWORK_UNREACHABLE: -32603,
      REQUEST_PENDING: -32002,
      TRANSACTION_UNCONFIRMED: -32002,
      LIMIT_EXCEEDED: -32005,
    })
  })

  it('defines every code once', () => {
    const parts = [
      providerErrors,
      linkErrors,
      projectErrors,
      connectionErrors,
      moneyErrors,
      embeddedWalletErrors,
      generalErrors,
    ]
    expect(parts.flatMap((part) => Object.keys(part))).toEqual(Object.keys(errors))
  })

  it('has a fix and a docs page for every code (spec §8)', () => {
    expect(Object.keys(fixes).sort()).toEqual(Object.keys(errors).sort())
    for (const code of Object.keys(errors).filter(isErrorCode)) {
      expect(errors[code].message, code).not.toBe('')
      expect(fixes[code], code).toMatch(/\.$/)
      expect(docsOf(code)).toBe(`https://docs.postern.dev/reference/errors#${code.toLowerCase()}`)
    }
  })

  it('has no unused code, except those marked as reserved', () => {
    const source = sourceCode()
    const silent = Object.keys(errors).filter((code) => !new RegExp(`\\b${code}\\b`).test(source))
    const reserved = Object.entries(fixes).flatMap(([code, fix]) => (fix.startsWith('Reserved for') ? [code] : []))
    // The view uses its own text 'activity.failed'.
    expect(silent.filter((code) => code !== 'TRANSACTIONS_UNAVAILABLE').sort()).toEqual(reserved.sort())
  })

  it('recognises its codes and no object prototype member', () => {
    expect(isErrorCode('USER_REJECTED')).toBe(true)
    for (const other of ['constructor', '__proto__', 'toString', '', 4001, null]) expect(isErrorCode(other)).toBe(false)
  })
})

/** Except the catalogue. */
function sourceCode(): string {
  const root = path.join(import.meta.dirname, '../../..')
  const files = ['apps', 'packages'].flatMap((folder) =>
    readdirSync(path.join(root, folder)).flatMap((name) => sourceFiles(path.join(root, folder, name, 'src'))),
  )
  return files.map((file) => readFileSync(file, 'utf8')).join('\n')
}

function sourceFiles(folder: string): string[] {
  const isSource = (name: string) =>
    /\.tsx?$/.test(name) && !/\.test\.|(^|\/)testing\/|(^|\/)errors(\/|\.ts$)/.test(name)
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(isSource)
    .map((name) => path.join(folder, name))
}

describe('alertOf and fillText', () => {
  it('inserts the origin for the developer to read', () => {
    expect(alertOf('ORIGIN_NOT_ALLOWED', { origin: 'https://app.example.com' })?.text).toContain(
      'https://app.example.com is not on the allowlist',
    )
    expect(alertOf('USER_REJECTED')).toBeNull()
  })

  it('fills names that have a value and leaves the rest', () => {
    expect(fillText(errors.EMAIL_COOLDOWN.message, { seconds: 12 })).toBe('Please try again after 12 seconds')
    expect(fillText(errors.HTTP_STATUS.message, { status: 503 })).toBe('HTTP status code: 503')
    expect(fillText('{a} {constructor} {a}', { a: 1 })).toBe('1 {constructor} 1')
  })
})

describe('linkError', () => {
  it('has code, message and RPC code, and omits what is missing', () => {
    expect(linkError('USER_REJECTED')).toEqual({
      code: 'USER_REJECTED',
      message: 'User rejected the request',
      rpc: 4001,
    })
    expect(linkError('TIMEOUT', { message: 'late', data: { after: 10 } })).toEqual({
      code: 'TIMEOUT',
      message: 'late',
      data: { after: 10 },
    })
  })
})

describe('fromServerMessage', () => {
  it('maps the three messages of spec §8, even inside longer text', () => {
    expect(fromServerMessage('Unauthorized: origin not allowed')).toBe('ORIGIN_NOT_ALLOWED')
    expect(fromServerMessage('JWT validation error: JWT Token is not yet valid: iat')).toBe('SESSION_EXPIRED')
    expect(fromServerMessage('3000 (Unauthorized: invalid key)')).toBe('INVALID_PROJECT_ID')
    expect(fromServerMessage('Unauthorized')).toBeNull()
  })
})
