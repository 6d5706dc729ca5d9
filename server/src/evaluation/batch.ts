/** Questions of a message: so few that the first answers are worked on while the next ones are still being found. */
const SIZE = 32;

/**
 * Collects questions that are asked in one turn of the event loop and sends them together, in messages of some size.
 *
 * @param send answers the questions in their order; when it throws, every question of the batch throws that
 */
export function batched<Question, Answer>(
  send: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let waiting: { question: Question; resolve: (answer: Answer) => void; reject: (error: unknown) => void }[] = [];
  const flush = () => {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += SIZE) void ask(all.slice(from, from + SIZE));
  };
  const ask = async (batch: typeof waiting) => {
    try {
      const answers = await send(batch.map((each) => each.question));
      batch.forEach((each, index) => {
        if (index < answers.length) each.resolve(answers[index] as Answer);
        else each.reject(new Error('The sandbox left a question without an answer.'));
      });
    } catch (error) {
      for (const each of batch) each.reject(error);
    }
  };
  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ question, resolve, reject });
    });
}
