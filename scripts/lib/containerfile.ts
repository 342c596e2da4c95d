import { DockerfileParser } from 'dockerfile-ast'

export type Step = {
  readonly keyword: string
  /** The text after the keyword, with continuation lines joined. */
  readonly text: string
}

export type Stage = { readonly from: string; readonly name: string | null; readonly steps: readonly Step[] }

export function readStages(content: string): Stage[] {
  const stages: { from: string; name: string | null; steps: Step[] }[] = []
  for (const instruction of DockerfileParser.parse(content).getInstructions()) {
    const keyword = instruction.getKeyword().toUpperCase()
    const text = instruction
      .getTextContent()
      .slice(keyword.length)
      .replace(/\\\s*\n\s*/g, ' ')
      .trim()
    if (keyword !== 'FROM') {
      stages.at(-1)?.steps.push({ keyword, text })
      continue
    }
    const [from = '', , name = null] = text.split(/\s+/)
    stages.push({ from, name, steps: [] })
  }
  return stages
}
