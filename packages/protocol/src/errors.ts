/** The error catalogue of spec §8: stable codes with exact messages and EIP-1193 or JSON-RPC numbers. */
import { connectionErrors } from './errors/connection'
import { embeddedWalletErrors } from './errors/embedded-wallet'
import type { AlertText, ErrorEntry } from './errors/entry'
import { generalErrors } from './errors/general'
import { linkErrors } from './errors/link'
import { moneyErrors } from './errors/money'
import { projectErrors } from './errors/project'
import { providerErrors } from './errors/provider'
import type { LinkError } from './page-link/envelope'

const docsUrl = 'https://docs.postern.dev/'

export type { AlertText, ErrorEntry } from './errors/entry'

const catalogue = {
  ...providerErrors,
  ...linkErrors,
  ...projectErrors,
  ...connectionErrors,
  ...moneyErrors,
  ...embeddedWalletErrors,
  ...generalErrors,
}

export type ErrorCode = keyof typeof catalogue

export const errors: Readonly<Record<ErrorCode, ErrorEntry>> = catalogue

export function docsOf(code: ErrorCode): string {
  return `${docsUrl}reference/errors#${code.toLowerCase()}`
}

export const texts = {
  /** After the modal rejected a method (spec §8). */
  actionNotAllowed: 'Action not allowed',
  authenticating: 'Authenticating...',
} as const

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(catalogue, value)
}

export function alertOf(code: ErrorCode, values: Readonly<Record<string, string | number>> = {}): AlertText | null {
  const alert = errors[code].alert
  return alert === undefined ? null : { title: alert.title, text: fillText(alert.text, values) }
}

/** Replaces each `{name}` that has a value. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
}

export function linkError(
  code: ErrorCode,
  more: { readonly message?: string; readonly data?: unknown } = {},
): LinkError {
  const { message, rpc } = errors[code]
  return {
    code,
    message: more.message ?? message,
    ...(rpc !== undefined && { rpc }),
    ...(more.data !== undefined && { data: more.data }),
  }
}

/** Spec §8. */
export function fromServerMessage(text: string): ErrorCode | null {
  if (text.includes('Unauthorized: origin not allowed')) return 'ORIGIN_NOT_ALLOWED'
  if (text.includes('JWT validation error: JWT Token is not yet valid')) return 'SESSION_EXPIRED'
  if (text.includes('Unauthorized: invalid key')) return 'INVALID_PROJECT_ID'
  return null
}
