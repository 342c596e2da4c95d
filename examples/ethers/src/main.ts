import { createPostern } from '@postern/client'
import { BrowserProvider } from 'ethers'

const postern = createPostern({
  projectId: 'dev',
  host: 'http://127.0.0.1:4400',
  networks: ['ethereum', 'base'],
})
const provider = new BrowserProvider(postern.eip155)

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
root.innerHTML = `
  <h1>ethers</h1>
  <button type="button" id="connect">Connect</button>
  <section hidden>
    <p id="address"></p>
    <button type="button" id="sign">Sign a message</button>
    <output></output>
  </section>`
const find = <T extends HTMLElement>(selector: string) => {
  const found = root.querySelector<T>(selector)
  if (found === null) throw new Error(`The page has no ${selector}`)
  return found
}

postern.subscribe(show)
show()
find('#connect').addEventListener('click', () => postern.open())
find('#connect').addEventListener('pointerenter', () => postern.prewarm())
find('#sign').addEventListener('click', async () => {
  try {
    const signer = await provider.getSigner()
    find('output').textContent = await signer.signMessage('Hello')
  } catch (error) {
    find('output').textContent = String(error)
  }
})

function show(): void {
  const { eip155 } = postern.getSnapshot().connections
  find('section').hidden = eip155?.status !== 'connected'
  find('#address').textContent = eip155?.status === 'connected' ? (eip155.accounts[0]?.address ?? '') : ''
}
