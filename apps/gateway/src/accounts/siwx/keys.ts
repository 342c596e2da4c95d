/**
 * Rotating Ed25519 keys that sign the tokens of sign-ins, shared by the gateways of a database.
 *
 * 1. A key signs for `rotateEvery`, then the next one does.
 * 2. The next key is published a day before it signs, for clients that cache keys.
 * 3. A key is published until its last token expires.
 * 4. Gateways that create the next key at once agree.
 * 5. Private keys are sealed. A gateway that can open no current key creates one; the others stay published.
 * 6. Keys are cached for a few seconds.
 */

import { generateSigningKey, keysFromJwks, type SigningKeys } from '@postern/siwx/server'
import { desc, lt } from 'drizzle-orm'
import type { Database } from '../../platform/db/open'
import { siwxKeys } from '../../platform/db/siwx-schema'
import { sweepRows } from '../../platform/db/sweep'
import { SealError, type Sealer } from '../../platform/secrets/sealer'

export type RotatingKeys = SigningKeys & {
  /** Creates the next key when due. */
  sweep(): Promise<void>
}

export type RotatingKeysOptions = {
  readonly orm: Database['orm']
  readonly sealer: Sealer
  /** In ms. */
  readonly rotateEvery: number
  /** In ms. */
  readonly tokenLifetime: number
  /** Epoch milliseconds. */
  readonly now: () => number
}

type Key = {
  readonly generation: number
  readonly kid: string
  /** base64url */
  readonly publicKey: string
  /** Absent if it does not open. */
  readonly privateKey?: string
  /** Epoch milliseconds. */
  readonly signsFrom: number
  readonly signsUntil: number
}

const day = 24 * 60 * 60_000
const hour = 60 * 60_000
const rememberedFor = 5_000
/** Conflicts between gateways. */
const maxTries = 5

export function createRotatingKeys(options: RotatingKeysOptions): RotatingKeys {
  const { orm, sealer, rotateEvery, tokenLifetime, now } = options
  const lead = Math.min(day, rotateEvery / 2)
  let making: Promise<void> | null = null
  let remembered: { readonly at: number; readonly keys: Promise<readonly Key[]> } | null = null

  /** Newest first. */
  function known(): Promise<readonly Key[]> {
    if (remembered !== null && Math.abs(now() - remembered.at) < rememberedFor) return remembered.keys
    const keys = read()
    const reading = { at: now(), keys }
    remembered = reading
    const forget = () => {
      if (remembered === reading) remembered = null
    }
    keys.then((loaded) => loaded.length === 0 && forget(), forget)
    return keys
  }

  async function read(): Promise<readonly Key[]> {
    const rows = await orm.select().from(siwxKeys).orderBy(desc(siwxKeys.generation))
    return rows.map(({ privateKey, signsFrom, signsUntil, ...row }) => ({
      ...row,
      ...opened(row.kid, privateKey),
      signsFrom: signsFrom.getTime(),
      signsUntil: signsUntil.getTime(),
    }))
  }

  function opened(kid: string, sealed: string): { privateKey?: string } {
    try {
      return { privateKey: sealer.open(sealed, signingKeyContext(kid)) }
    } catch (error) {
      if (error instanceof SealError) return {}
      throw error
    }
  }

  /** Once for concurrent callers. */
  function make(generation: number, signsFrom: number): Promise<void> {
    making ??= insert(generation, signsFrom).finally(() => {
      making = null
      remembered = null
    })
    return making
  }

  async function insert(generation: number, signsFrom: number): Promise<void> {
    const { kid, x, d } = await generateSigningKey()
    if (kid === undefined || x === undefined || d === undefined) throw new Error('A key pair has two halves')
    await orm
      .insert(siwxKeys)
      .values({
        generation,
        kid,
        publicKey: x,
        privateKey: sealer.seal(d, signingKeyContext(kid)),
        signsFrom: new Date(signsFrom),
        signsUntil: new Date(signsFrom + rotateEvery),
      })
      .onConflictDoNothing()
  }

  /** Creates missing keys. */
  async function ready(): Promise<{ readonly signing: Key; readonly all: readonly Key[] }> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const all = await known()
      const own = all.filter(({ privateKey }) => privateKey !== undefined)
      const at = now()
      const signing = own.find(({ signsFrom, signsUntil }) => signsFrom <= at && at < signsUntil)
      const generation = (all[0]?.generation ?? 0) + 1
      const end = Math.max(...own.map(({ signsUntil }) => signsUntil))
      if (signing === undefined) await make(generation, at)
      else if (end - lead <= at) await make(generation, end)
      else return { signing, all }
    }
    throw new Error('No key to sign with could be made')
  }

  const isOver = ({ signsUntil }: Key) => signsUntil + tokenLifetime <= now()

  return {
    async current() {
      const { kid, publicKey: x, privateKey: d } = (await ready()).signing
      if (d === undefined) throw new Error('A key that does not open signs nothing')
      return keysFromJwks([{ kty: 'OKP', crv: 'Ed25519', kid, x, d }]).current()
    },
    async jwks() {
      const { all } = await ready()
      const published = all.filter((key) => !isOver(key))
      return {
        keys: published.map(({ kid, publicKey: x }) => ({
          kty: 'OKP',
          crv: 'Ed25519',
          kid,
          x,
          alg: 'EdDSA',
          use: 'sig',
        })),
      }
    },
    async sweep() {
      await ready()
      // One hour for clock differences between gateways.
      await sweepRows(orm, siwxKeys, lt(siwxKeys.signsUntil, new Date(now() - tokenLifetime - hour)))
    },
  }
}

export function signingKeyContext(kid: string): string {
  return `siwx key ${kid}`
}
