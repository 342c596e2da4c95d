/** The search: sessions of steps against a target, guided by what code they reach. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import fc from 'fast-check'
import { type Coverage, startCoverage } from './coverage'
import { damage, damageSequence } from './mutate'
import { createRandom, type Random } from './random'

/** One thing that a peer, or the world around, does. `data` may be anything: a target reads what it can. */
export type Step = { readonly move: string; readonly data: unknown }

/** What a target does for each kind of step. */
export type Moves = Readonly<Record<string, (data: unknown) => void | Promise<void>>>

export function move(moves: Moves, { move: name, data }: Step): void | Promise<void> {
  return Object.hasOwn(moves, name) ? moves[name]?.(data) : undefined
}

export type Target = {
  readonly name: string
  /** Parts of the URLs of the scripts whose coverage guides the search. */
  readonly covers: readonly string[]
  readonly steps: fc.Arbitrary<Step>
  /** Plays a session on a new link. @throws {Violation} */
  readonly play: (steps: readonly Step[]) => Promise<void>
  /** How often sessions got where it matters: a search that never does shows nothing. */
  readonly reached?: () => Readonly<Record<string, number>>
}

export class Violation extends Error {
  override readonly name = 'Violation'
}

export type Limits = { readonly seed: number; readonly messages: number; readonly seconds: number }
export type Found = {
  readonly messages: number
  readonly sessions: number
  readonly seconds: number
  readonly corpus: number
  /** Characters of code. */
  readonly covered: number
  readonly reached: Readonly<Record<string, number>>
}

const maxSteps = 48
const maxCorpus = 4_000
const maxBatch = 16
const maxSessionMs = 120_000
/** A step that takes longer never ends; less would blame a busy machine. */
export const patienceMs = 30_000
/** What a long run may hold more than after its first sessions. */
const maxHeapGrowth = 400 * 2 ** 20
const reportEveryMs = 15_000
const folder = '.postern/fuzz'

/**
 * Plays sessions until a limit, and throws the first violation with the steps that lead to it.
 *
 * 1. The same seed makes the same sessions, as long as the code under test behaves the same.
 * 2. A session that reaches new code is kept, and later ones are made from it.
 * 3. An exception that escapes, a rejection without a handler, a session that does not end and memory that
 *    grows without bound are violations of every target.
 * 4. A violation is reduced to the steps that it needs and stored in `.postern/fuzz`, from where `replay` plays it.
 */
export const fuzz = (target: Target, limits: Limits): Promise<Found> =>
  hearingEscapes((escaped) => search(target, limits, escaped))

async function search(target: Target, limits: Limits, escaped: unknown[]): Promise<Found> {
  const random = createRandom(limits.seed)
  const coverage = startCoverage(target.covers)
  const corpus: (readonly Step[])[] = []
  const next = sessionsOf(target, random, corpus)
  const keep = keepNew(coverage, corpus)
  // real time: a run may last `limits.seconds`.
  const now = () => performance.now()
  const began = now()
  const seconds = () => (now() - began) / 1_000
  let messages = 0
  let sessions = 0
  let reportedAt = began
  let heap: number | null = null
  const found = (): Found => ({
    messages,
    sessions,
    seconds: Math.round(seconds()),
    corpus: corpus.length,
    covered: coverage.total(),
    reached: target.reached?.() ?? {},
  })

  console.log(`Fuzzing ${target.name}: FUZZ_SEED=${limits.seed}`)
  try {
    while (messages < limits.messages && seconds() < limits.seconds) {
      const steps = next()
      const fault = await faultOf(target, steps, escaped)
      if (fault !== null) throw await report(target, { seed: limits.seed, steps, fault, escaped })
      messages += steps.length
      sessions += 1
      keep(steps)
      if (sessions % 500 === 0) heap = await checkHeap(heap)
      if (now() - reportedAt > reportEveryMs) {
        reportedAt = now()
        console.log(`  ${target.name} ${JSON.stringify(found())}`)
      }
    }
    return found()
  } finally {
    console.log(`  ${target.name} ${JSON.stringify(found())}`)
    coverage.end()
  }
}

/** Plays a stored session. */
export async function replay(target: Target, file: string): Promise<void> {
  const fault = await hearingEscapes((escaped) => faultOf(target, deserialize(readFileSync(file)), escaped))
  if (fault !== null) throw fault
}

/**
 * Reading the coverage takes longer than a session, so several sessions share a reading: more while nothing new runs. If
 * something does, all of them are kept.
 */
function keepNew(coverage: Coverage, corpus: (readonly Step[])[]): (steps: readonly Step[]) => void {
  let size = 1
  let batch: (readonly Step[])[] = []
  return (steps) => {
    batch.push(steps)
    if (batch.length < size) return
    const isNew = coverage.gained() > 0
    if (isNew) corpus.push(...batch.slice(0, maxCorpus - corpus.length))
    size = isNew ? Math.ceil(size / 2) : Math.min(size * 2, maxBatch)
    batch = []
  }
}

/** New steps and damaged ones, and sessions made from those that reached new code. */
function sessionsOf(target: Target, random: Random, corpus: readonly (readonly Step[])[]): () => Step[] {
  let fresh: Step[] = []

  function step(): Step {
    const sampled = fresh.pop()
    if (sampled !== undefined) return random.oneIn(2) ? sampled : damaged(sampled)
    fresh = fc.sample(target.steps, { numRuns: 500, seed: random.seed() | 0 })
    return step()
  }

  function damaged({ move, data }: Step): Step {
    const parts = fresh.slice(-8).map((other) => other.data)
    let value = data
    for (let times = 1 + random.below(3); times > 0; times -= 1) value = damage(value, random, parts)
    return { move, data: value }
  }

  return () => {
    if (corpus.length === 0 || random.oneIn(4)) return Array.from({ length: 1 + random.below(maxSteps) }, step)
    let steps = [...random.pick(corpus)]
    for (let times = 1 + random.below(3); times > 0; times -= 1)
      steps = random.oneIn(2)
        ? steps.map((one) => (random.oneIn(Math.max(2, steps.length)) ? damaged(one) : one))
        : damageSequence(steps, random, step, random.pick(corpus))
    return steps.length === 0 ? [step()] : steps.slice(0, maxSteps)
  }
}

async function faultOf(target: Target, steps: readonly Step[], escaped: unknown[]): Promise<Violation | null> {
  escaped.length = 0
  try {
    await within(target.play(steps), maxSessionMs, 'The session does not end')
    // Rejections are reported after the microtasks of a turn.
    await new Promise((resolve) => setImmediate(resolve))
  } catch (thrown) {
    return thrown instanceof Violation ? thrown : violationOf('The session threw', thrown)
  }
  return escaped.length === 0 ? null : violationOf('An error escaped', escaped[0])
}

/** In place of the test runner, which would end the run without the session. Returns what escapes. */
async function hearingEscapes<T>(run: (escaped: unknown[]) => Promise<T>): Promise<T> {
  const escaped: unknown[] = []
  const onEscape = (thrown: unknown) => void escaped.push(thrown)
  const restore = (['uncaughtException', 'unhandledRejection'] as const).map((kind) => {
    const others = process.rawListeners(kind)
    process.removeAllListeners(kind)
    process.on(kind, onEscape)
    return () => {
      process.removeListener(kind, onEscape)
      for (const other of others) process.on(kind, (...given: unknown[]) => void Reflect.apply(other, process, given))
    }
  })
  try {
    return await run(escaped)
  } finally {
    for (const each of restore) each()
  }
}

function violationOf(what: string, thrown: unknown): Violation {
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : fc.stringify(thrown)
  return new Violation(`${what}: ${text}`)
}

/** @throws {Violation} after `ms`, with `what`. */
export async function within<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // real time: the limit of what never ends.
    timer = setTimeout(() => reject(new Violation(what)), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Timers of ended sessions, such as an environment's for frames that were removed, hold memory for a while. */
const settleMs = 30_000

async function checkHeap(first: number | null): Promise<number | null> {
  const { gc } = globalThis
  if (gc === undefined) return null
  const used = () => {
    gc()
    return process.memoryUsage().heapUsed
  }
  let now = used()
  if (first !== null && now - first > maxHeapGrowth) {
    // real time: the timers are the environment's.
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    now = used()
    if (now - first > maxHeapGrowth) throw new Violation(`The heap grew from ${first} to ${now} bytes`)
  }
  return first ?? now
}

type Fault = {
  readonly seed: number
  readonly steps: readonly Step[]
  readonly fault: Violation
  readonly escaped: unknown[]
}

async function report(target: Target, { seed, steps, fault, escaped }: Fault): Promise<Error> {
  const few = await reduce(target, steps, escaped)
  mkdirSync(folder, { recursive: true })
  const file = `${folder}/${target.name}-${seed}.bin`
  writeFileSync(file, serialize(few))
  const listed = few.map((step) => `  ${step.move} ${fc.stringify(step.data).slice(0, 2_000)}`).join('\n')
  return new Error(
    `${target.name}: ${fault.message}\n${listed}\nPlay it again: npm run fuzz -- --target ${target.name} --replay ${file}`,
  )
}

/** Without the steps that the violation does not need. */
async function reduce(target: Target, steps: readonly Step[], escaped: unknown[]): Promise<readonly Step[]> {
  let kept = steps
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < kept.length; ) {
      const fewer = [...kept.slice(0, at), ...kept.slice(at + size)]
      if (fewer.length > 0 && (await faultOf(target, fewer, escaped)) !== null) kept = fewer
      else at += size
    }
  }
  return kept
}
