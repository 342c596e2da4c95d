/** Permissions in a sign-in message's resources (ReCap). Source: https://eips.ethereum.org/EIPS/eip-5573 */
import { base64urlnopad } from '@scure/base'
import * as z from 'zod/mini'
import type { SignInGrant } from './intent'

/** By resource, then by ability (`namespace/name`), with its limits. */
const ReCap = z.object({ att: z.record(z.string(), z.record(z.string(), z.array(z.unknown()))) })

const prefix = 'urn:recap:'
const maxListed = 32

/**
 * 1. Every `urn:recap:` resource gives at least one grant, even if unreadable or after spaces.
 * 2. An ability is shown as if it had no limits.
 * 3. More than a person can read counts as unreadable.
 */
export function grantsOf(resources: readonly string[]): readonly SignInGrant[] {
  return resources
    .map((resource) => resource.trim())
    .filter((resource) => resource.toLowerCase().startsWith(prefix))
    .flatMap(readReCap)
}

function readReCap(resource: string): readonly SignInGrant[] {
  const unread = { resource, abilities: null }
  try {
    const bytes = base64urlnopad.decode(
      resource.slice(prefix.length).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
    )
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const grants = Object.entries(ReCap.parse(JSON.parse(text)).att).map(([to, abilities]) => ({
      resource: to,
      abilities: Object.keys(abilities),
    }))
    const isReadable = ({ length }: readonly unknown[]) => length > 0 && length <= maxListed
    return isReadable(grants) && grants.every(({ abilities }) => isReadable(abilities)) ? grants : [unread]
  } catch {
    return [unread]
  }
}
