import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DatabaseInUseError, lockDirectory } from './lock'

let dir: string
let file: string
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'postern-lock-'))
  file = path.join(dir, 'db.lock')
})
afterEach(() => rm(dir, { recursive: true }))

/** A pid that was somebody's, and is nobody's now. */
async function goneProcess(): Promise<number | undefined> {
  const gone = spawn(process.execPath, ['-e', ''])
  await new Promise((resolve) => gone.once('exit', resolve))
  return gone.pid
}

test('what a process left behind that is gone is taken over', async () => {
  await writeFile(file, `${await goneProcess()}\n`)
  const unlock = await lockDirectory(file)
  expect(await readFile(file, 'utf8')).toBe(`${process.pid}\n`)
  await unlock()
  expect(await readdir(dir)).toEqual([])
})

test('of two that take it over at once, one has it', async () => {
  await writeFile(file, `${await goneProcess()}\n`)
  let looks = 0
  async function read(from: string): Promise<string> {
    const text = await readFile(from, 'utf8')
    looks += 1
    // Until here both saw the same; the other one was faster.
    if (looks === 1) await writeFile(file, `${process.ppid}\n`)
    return text
  }
  await expect(lockDirectory(file, read)).rejects.toThrow(DatabaseInUseError)
  expect(await readFile(file, 'utf8')).toBe(`${process.ppid}\n`)
  expect(await readdir(dir)).toEqual(['db.lock'])
})
