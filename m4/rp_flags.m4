# SPDX-License-Identifier: Apache-2.0

# RP_TRY_FLAG(VARIABLE, FLAG): appends FLAG where the compiler takes it.
AC_DEFUN([RP_TRY_FLAG], [
AS_VAR_PUSHDEF([rp_cache], [rp_cv_cflag_$2])
AC_CACHE_CHECK([whether $CC takes $2], [rp_cache], [
  rp_save_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -Werror $2"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM()], [AS_VAR_SET([rp_cache], [yes])],
    [AS_VAR_SET([rp_cache], [no])])
  CFLAGS=$rp_save_CFLAGS])
AS_VAR_IF([rp_cache], [yes], [$1="$$1 $2"])
AS_VAR_POPDEF([rp_cache])])

AC_DEFUN([RP_WARN_FLAGS], [
AC_ARG_ENABLE([werror],
  [AS_HELP_STRING([--enable-werror], [stop the build on any compiler warning])],
  [], [enable_werror=no])
WARN_CFLAGS=
m4_foreach_w([rp_flag], [-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
  -Wwrite-strings -Wcast-qual -Wpointer-arith -Wformat=2 -Wundef -Wvla
  -Wimplicit-fallthrough -Wnull-dereference -Wlogical-op -Wduplicated-cond -Wno-missing-field-initializers],
  [RP_TRY_FLAG([WARN_CFLAGS], rp_flag)])
AS_VAR_IF([enable_werror], [yes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
AC_SUBST([WARN_CFLAGS])])

AC_DEFUN([RP_SANITIZERS], [
AC_ARG_ENABLE([sanitizers],
  [AS_HELP_STRING([--enable-sanitizers], [build with AddressSanitizer and UndefinedBehaviorSanitizer])],
  [], [enable_sanitizers=no])
SANITIZE_FLAGS=
AS_VAR_IF([enable_sanitizers], [yes],
  [SANITIZE_FLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"])
AC_SUBST([SANITIZE_FLAGS])])
