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
import { bitcoinAccount } from '../../packages/devnet/src/bitcoin/accounts'
import { devnetBitcoinId, devnetChains, devnetSolanaId } from '../../packages/devnet/src/chain-ids'
import { gatewayEnvironment } from '../../packages/devnet/src/gateway-environment'
import { devnetAccounts, devnetContracts, devnetNetworks } from '../../packages/devnet/src/networks'
import { nativeTokenAddress } from '../../packages/protocol/src/blockchain-api'
import { startService, stopServices } from '../../scripts/lib/process'
import { step } from '../../scripts/lib/step'
import { freePort, startGateway } from './gateway'
import { startReplicas } from './replicas'
import { percentile } from './statistics'
import { formatRows } from './table'
import { createVisitor, type Visitor } from './visitor'
import type { Sample } from './visitor-requests'

const visitors = 200
const guessers = 20
/** In ms. */
const stay = 30_000
const between = 10_000
const dapp = 'http://dapp.localhost:8080'

/** @param replicas more than one: gateways on PostgreSQL behind a round-robin proxy, and 1., 2. and 4. only. */
export async function measureLoad(replicas = 1): Promise<void> {
  try {
    const ports = {
      evm: await freePort(),
      evmTwo: await freePort(),
      solana: await freePort(),
      bitcoin: await freePort(),
      onramp: await freePort(),
      indexer: await freePort(),
    }
    await step('The devnet', () => startChains(Object.values(ports)))
    const networks = devnetNetworks(ports).map(({ rpcUrls = [], ...network }) => ({ ...network, upstreams: rpcUrls }))
    const env = {
      ...gatewayEnvironment(ports),
      POSTERN_NETWORKS: JSON.stringify(networks),
      TRUSTED_PROXIES: '1',
      // No server there: guesses send no email.
      SMTP_URL: 'smtp://127.0.0.1:9',
    }
    const cluster = replicas > 1 ? await step(`${replicas} replicas`, () => startReplicas(replicas, dapp, env)) : null
    const gateway = cluster ?? (await startGateway(dapp, { env }))
    let samples: Sample[] = []
    const setting = {
      port: Number(new URL(gateway.origin).port),
      dapp,
      networks: {
        evm: devnetChains.map(({ chainId }) => `eip155:${chainId}`),
        solana: devnetSolanaId,
        bitcoin: devnetBitcoinId,
      },
      accounts: {
        evm: devnetAccounts[0]?.address ?? '',
        token: devnetContracts.dollar,
        solana: '11111111111111111111111111111111',
        bitcoin: bitcoinAccount(0).payment.address,
      },
      swap: { from: nativeTokenAddress, to: devnetContracts.dollar },
      record: (sample: Sample) => void samples.push(sample),
    }
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

async function startChains(ports: readonly number[]): Promise<void> {
  const service = startService('devnet', process.execPath, [
    '--import',
    'tsx',
    'bench/src/devnet.ts',
    ...ports.map(String),
  ])
  let isOver = false
  void service.ended.then(() => {
    isOver = true
  })
  while (!service.lastLines().endsWith('ready')) {
    if (isOver) throw new Error(`The devnet did not start. ${service.lastLines()}`)
    await pause(100)
  }
}

function formatLoad(samples: readonly Sample[]): string {
  const kinds = new Map<string, Sample[]>()
  for (const sample of samples) kinds.set(sample.what, [...(kinds.get(sample.what) ?? []), sample])
  const failures = new Map<string, number>()
  const rows = [...kinds].map(([what, of]) => {
    const times = of.map(({ ms }) => ms)
    const failed = of.flatMap(({ failure }) => (failure === null ? [] : [failure]))
    for (const failure of failed) failures.set(`${what}: ${failure}`, (failures.get(`${what}: ${failure}`) ?? 0) + 1)
    const figure = (share: number) => `${percentile(times, share).toFixed(0)} ms`
    return [what, String(of.length), figure(0.5), figure(0.95), figure(0.99), String(failed.length)]
  })
  const table = formatRows([['what', 'asked', 'p50', 'p95', 'p99', 'failed'], ...rows])
  return [table, ...[...failures].map(([failure, count]) => `${count} × ${failure}`)].join('\n')
}
