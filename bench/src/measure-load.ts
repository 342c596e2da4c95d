/**
 * Two hundred concurrent visitors against a production gateway and the devnet's chains: measures the latency of each
 * kind of request.
 *
 * 1. All of them open the modal at the same moment.
 * 2. They stay, and each requests its balances every ten seconds.
 * 3. The same, while twenty clients guess codes as fast as they get responses.
 * 4. All of them open their account at the same moment, each with its own address so that no cache helps, and go
 *    through its views as fast as they get responses.
 * 5. They stay there: every ten seconds balances, prices and a quote, and now and then the rest.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { stopServices } from '../../scripts/lib/process'
import { step } from '../../scripts/lib/step'
import { startGateway } from './gateway'
import { dapp, formatLoad, settingOf, startChains } from './load'
import { startReplicas } from './replicas'
import { createVisitor, type Visitor } from './visitor'
import type { Sample } from './visitor-requests'

const visitors = 200
const guessers = 20
/** In ms. */
const stay = 30_000
const between = 10_000

/** @param replicas more than one: gateways on PostgreSQL behind a round-robin proxy, and 1., 2. and 4. only. */
export async function measureLoad(replicas = 1): Promise<void> {
  try {
    const chains = await step('The devnet', () => startChains())
    // No server there: guesses send no email.
    const env = { ...chains.env, SMTP_URL: 'smtp://127.0.0.1:9' }
    const cluster =
      replicas > 1 ? await step(`${replicas} replicas`, () => startReplicas(Array(replicas).fill(0), dapp, env)) : null
    const gateway = cluster ?? (await startGateway(dapp, { env }))
    let samples: Sample[] = []
    const setting = settingOf(gateway.origin, (sample) => void samples.push(sample))
    const all = Array.from({ length: visitors + guessers }, (_, index) => createVisitor(setting, index))
    const guests = all.slice(0, visitors)
    const collected: Sample[] = []
    const phase = async (title: string, work: () => Promise<unknown>) => {
      samples = []
      await step(title, work)
      console.log(`\n${formatLoad(samples)}\n`)
      collected.push(...samples)
    }

    await phase(`${visitors} visitors open the modal at once`, () => Promise.all(guests.map((guest) => guest.open())))
    await phase(`They stay for ${stay / 1000} s`, () => staying(guests))
    if (cluster === null)
      await phase(`They stay as long again, while ${guessers} clients guess codes`, async () => {
        let isOver = false
        const guessing = all.slice(visitors).map(async (guesser) => {
          while (!isOver) await guesser.guess()
        })
        await staying(guests)
        isOver = true
        await Promise.all(guessing)
      })
    await phase(`${visitors} visitors open their account at once`, () =>
      Promise.all(guests.map((guest) => guest.openAccount())),
    )
    if (cluster === null) {
      await phase(`They stay there for ${stay / 1000} s`, () => staying(guests, (guest) => guest.lookAtAccount()))
    } else console.log(`Memory of the replicas: ${(await cluster.memory()).join(', ')} MB`)
    for (const one of all) one.leave()
    await gateway.stop()
    if (collected.some(({ failure }) => failure !== null)) process.exitCode = 1
  } finally {
    await stopServices()
  }
}

/** Spread over the interval. */
async function staying(
  guests: readonly Visitor[],
  look: (guest: Visitor) => Promise<void> = (guest) => guest.look(),
): Promise<void> {
  const end = performance.now() + stay
  await Promise.all(
    guests.map(async (guest, index) => {
      await pause((between * index) / guests.length)
      while (performance.now() < end) {
        const next = performance.now() + between
        await look(guest)
        await pause(Math.max(0, next - performance.now()))
      }
    }),
  )
}
