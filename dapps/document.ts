/** A page without a framework: outputs, buttons and what an action says. */

type Action = () => Promise<string>

export type Page = {
  readonly say: (label: string, text: string) => void
  readonly typed: (label: string) => string
}

/** A button for each action; its result, or the error's name and code, is the output "Said". */
export function createPage(title: string, actions: Readonly<Record<string, Action>>): Page {
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no place for the app.')
  const heading = document.createElement('h1')
  heading.textContent = title
  root.append(heading)
  const outputs = new Map(['Account', 'Chain', 'Said'].map((label) => [label, outputOf(label)]))
  const say = (label: string, text: string) => {
    const output = outputs.get(label)
    if (output === undefined) throw new Error(`There is no output ${label}.`)
    output.textContent = text
  }
  for (const [name, act] of Object.entries(actions)) {
    const button = document.createElement('button')
    button.textContent = name
    button.addEventListener('click', () => {
      say('Said', '')
      act().then(
        (text) => say('Said', text),
        (thrown: unknown) => say('Said', wordsOf(thrown)),
      )
    })
    root.append(button)
  }
  const to = document.createElement('input')
  to.setAttribute('aria-label', 'To')
  root.append(to, ...outputs.values())
  return { say, typed: () => to.value }
}

function outputOf(label: string): HTMLOutputElement {
  const output = document.createElement('output')
  output.setAttribute('aria-label', label)
  return output
}

/** How a library names an error: viem by class, ethers by code. Outer errors first. */
function wordsOf(thrown: unknown): string {
  const words: string[] = []
  for (let error: unknown = thrown; error instanceof Error; error = error.cause) {
    const code = 'code' in error ? ` ${String(error.code)}` : ''
    words.push(`${error.name}${code}: ${error.message}`)
  }
  return words.length > 0 ? words.join('\n') : String(thrown)
}
