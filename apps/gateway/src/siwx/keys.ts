/**
 * The Ed25519 keys that sign tokens of sign-ins: pairs in the database, the same for every gateway on it.
 *
 * 1. A key signs for `rotateEvery`, then the next one does.
 * 2. The next one is made and published a day before it signs, so that whoever keeps the published keys for a while has it when its first token comes.
 * 3. A key is published until the last token that it signed has expired. Then its row goes.
 * 4. Gateways that make the next key at the same time agree: each generation is there once.
 * 5. Private halves are sealed. A gateway that can open none that is due makes one at once; the others stay published.
 * 6. Keys are read every few seconds at most: a flood of tokens asks the database for none.
 */

import { generateSigningKey, keysFromJwks, type SigningKeys } from '@postern/siwx/server'
import { desc, lt } from 'drizzle-orm'
import type { Database } from '../db/open'
import { siwxKeys } from '../db/siwx-schema'
import { SealError, type Sealer } from '../secrets/sealer'

export type RotatingKeys = SigningKeys & {
  /** Makes the next key when it is time, and forgets those that are over. */
  sweep(): Promise<void>
}

export type RotatingKeysOptions = {
  readonly orm: Database['orm']
  readonly sealer: Sealer
  /** How long a key signs. Milliseconds. */
  readonly rotateEvery: number
  /** How long a token lives at most. Milliseconds. */
  readonly tokenLifetime: number
  /** Epoch milliseconds. */
  readonly now: () => number
}

type Key = {
  readonly generation: number
  readonly kid: string
  /** base64url */
  readonly publicKey: string
  /** Absent where it does not open. */
  readonly privateKey?: string
  /** Epoch milliseconds. */
  readonly signsFrom: number
  readonly signsUntil: number
}

const day = 24 * 60 * 60_000
const hour = 60 * 60_000
const rememberedFor = 5_000
/** How often gateways may be in each other's way before something else is wrong. */
const mostTries = 5

export function createRotatingKeys(options: RotatingKeysOptions): RotatingKeys {
  const { orm, sealer, rotateEvery, tokenLifetime, now } = options
  const lead = Math.min(day, rotateEvery / 2)
  let making: Promise<void> | null = null
  let remembered: { readonly at: number; readonly keys: Promise<readonly Key[]> } | null = null

  /** The newest first. */
  function known(): Promise<readonly Key[]> {
    if (remembered !== null && Math.abs(now() - remembered.at) < rememberedFor) return remembered.keys
    const keys = read()
    const reading = { at: now(), keys }
    remembered = reading
    const forget = () => {
      if (remembered === reading) remembered = null
    }
    keys.then((found) => found.length === 0 && forget(), forget)
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
      return { privateKey: sealer.open(sealed, contextOf(kid)) }
    } catch (error) {
      if (error instanceof SealError) return {}
      throw error
    }
  }

  /** Whoever finds a key missing while one is made waits for that one. @param signsFrom epoch milliseconds */
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
        privateKey: sealer.seal(d, contextOf(kid)),
        signsFrom: new Date(signsFrom),
        signsUntil: new Date(signsFrom + rotateEvery),
      })
      .onConflictDoNothing()
  }

  /** All keys, after those were made that were missing: one that signs now, and the next when it is time. */
  async function ready(): Promise<{ readonly signing: Key; readonly all: readonly Key[] }> {
    for (let tries = 0; tries < mostTries; tries += 1) {
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
      // Clocks of gateways differ.
      await orm.delete(siwxKeys).where(lt(siwxKeys.signsUntil, new Date(now() - tokenLifetime - hour)))
    },
  }
}

function contextOf(kid: string): string {
  return `siwx key ${kid}`
}
