/**
 * Builds, starts everything, prints the URLs, and stops on Ctrl-C or when one piece ends.
 * `--weather=rough --seed=1`: the chains lag, refuse, forget and reorganise, as the seed says.
 */
import { parseArgs } from 'node:util'
import { weatherPort } from '../packages/devnet/src/networks'
import { readWeather, weatherArguments } from '../packages/devnet/src/weather/options'
import { build } from './lib/build'
import { consoleToken, origins, ports, startStack } from './lib/development'
import { claimPorts } from './lib/ports'
import { stopServices } from './lib/process'
import { command } from './lib/step'

const asked = new Promise<null>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(null))
})

await command(async () => {
  const weather = readWeather(parseArgs({ args: process.argv.slice(3), options: weatherArguments }).values)
  await claimPorts(ports)
  try {
    await build()
    const services = await Promise.race([startStack({ weather }), asked])
    if (services === null) return
    const { weather: name, seed } = weather
    const events = `http://127.0.0.1:${weatherPort}/devnet/weather`
    console.log(`
  Postern is running.

  Demo                     ${origins.demo}/
  Lab: every feature       ${origins.demo}/lab, by script tag: ${origins.demo}/lab/script.html
  Gateway                  ${origins.modal}/openapi.json
  Operators' console       ${origins.console}/, token ${consoleToken}
  Chains                   http://127.0.0.1:${ports['first chain']} (31337), http://127.0.0.1:${ports['second chain']} (31338),
                           http://127.0.0.1:${ports['Solana chain']} (Solana), http://127.0.0.1:${ports['Bitcoin chain']} (Bitcoin, Esplora)
  Mobile wallet            ${origins.mobileWallet}/
  WalletConnect relay      ws://127.0.0.1:${ports['WalletConnect relay']}
  Mailbox                  ${origins.mailbox}/
  Socials, Farcaster       ${origins.identityProvider}/, ${origins.farcaster}/
  Bundler, paymaster       http://127.0.0.1:${ports.bundler}/31337, http://127.0.0.1:${ports.bundler}/paymaster/31337
  Weather of the chains    ${name === 'fair' ? 'fair; npm start -- --weather=rough makes it rough' : `${name}, seed ${seed}: ${events} says what happened`}

  "Devnet Wallet" is announced in the demo like a browser extension; its money is play money.
  Sign in with any email address: its emails arrive in the mailbox. Social sign-in accepts any name.
  In the mobile wallet, paste the text of a WalletConnect code; or open it by the link in the demo.
  Ctrl-C stops everything.
`)
    const ended = services.map((service) => service.ended.then(() => service))
    const first = await Promise.race([asked, ...ended])
    if (first !== null) throw new Error(`The ${first.name} ended. ${first.lastLines()}`)
    console.log('\nStopping.')
  } finally {
    await stopServices()
  }
})
