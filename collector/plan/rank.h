/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of a job's processes this one is, by the environment that its launcher makes: Open
 * MPI's mpirun, PMIx (OpenPMIx, section "Environment"), PMI (MPICH's hydra, Intel's mpirun),
 * and Slurm's srun (srun(1), OUTPUT ENVIRONMENT VARIABLES).
 */
#ifndef RANK_H
#define RANK_H

/* The number as the launcher wrote it, or NULL: none.  From the environment. */
const char *rank_get(void);

/*
 * The name of this rank's experiment where the user gave NAME for all of them: "run.er" of
 * rank 3 of 16 is "run.03.er", so that names sort as ranks do.  NULL if NAME can stay: there is one
 * process, or their number is not known.  The caller frees it.
 */
char *rank_experiment(const char *name);

#endif
